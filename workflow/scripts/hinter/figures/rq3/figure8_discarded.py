"""Figure 8 of the paper: grammar scores of valid and of discarded mutants (RQ3)."""

from pathlib import Path

import pandas as pd

from ..figure import Figure
from ..scores import draw_scores


def draw_discarded(rows: pd.DataFrame, *, pdf: Path, png: Path) -> None:
    """Draw the rows of `tabulate_discarded` in the form of Figure 5."""
    draw_scores(rows, label="check", margin=0, pdf=pdf, png=png)


FIGURE = Figure(
    question="RQ3",
    title="Figure 8: grammar of discarded mutants",
    reads=("figure8_discarded",),
    draw=draw_discarded,
)
