"""Figure 5 of the paper: grammar scores of originals and their valid mutants (RQ2)."""

from pathlib import Path

import pandas as pd

from ..figure import Figure
from ..scores import draw_scores


def draw_grammar(rows: pd.DataFrame, *, pdf: Path, png: Path) -> None:
    """Draw the rows of `tabulate_grammar` for the model `all`."""
    rows = rows[rows["model"] == "all"]
    draw_scores(rows, label="outcome", margin=float(rows["margin"].min()), pdf=pdf, png=png)


FIGURE = Figure(
    question="RQ2",
    title="Figure 5: grammar of valid mutants",
    reads=("figure5_grammar",),
    draw=draw_grammar,
)
