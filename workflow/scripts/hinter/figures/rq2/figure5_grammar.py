"""Figure 5 of the paper: grammar scores of originals and their valid mutants (RQ2)."""

import pandas as pd

from ..figure import Figure, Plot
from ..scores import plot_scores


def plot_grammar(rows: pd.DataFrame) -> Plot:
    """Draw the rows of `tabulate_grammar` for the model `all`."""
    rows = rows[rows["model"] == "all"]
    return plot_scores(rows, label="outcome", margin=float(rows["margin"].min()))


FIGURE = Figure(
    title="Figure 5: grammar of valid mutants", reads=("figure5_grammar",), plot=plot_grammar
)
