"""Figure 5 of the paper: grammar scores of originals and their valid mutants (RQ2)."""

import pandas as pd

from ..figure import Drawing, Figure
from ..scores import draw_scores


def draw_grammar(rows: pd.DataFrame) -> Drawing:
    """Draw the rows of `tabulate_grammar` for the model `all`."""
    rows = rows[rows["model"] == "all"]
    return draw_scores(rows, label="outcome", margin=float(rows["margin"].min()))


FIGURE = Figure(
    title="Figure 5: grammar of valid mutants", reads=("figure5_grammar",), draw=draw_grammar
)
