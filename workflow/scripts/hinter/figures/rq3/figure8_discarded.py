"""Figure 8 of the paper: grammar scores of valid and of discarded mutants (RQ3)."""

from ..figure import Figure
from ..scores import plot_scores

FIGURE = Figure(
    title="Figure 8: grammar of discarded mutants",
    reads=("figure8_discarded",),
    plot=lambda rows: plot_scores(rows, label="check", margin=0),
)
