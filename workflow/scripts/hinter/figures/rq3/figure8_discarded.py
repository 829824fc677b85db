"""Figure 8 of the paper: grammar scores of valid and of discarded mutants (RQ3)."""

from ..figure import Figure
from ..scores import draw_scores

FIGURE = Figure(
    title="Figure 8: grammar of discarded mutants",
    reads=("figure8_discarded",),
    draw=lambda rows: draw_scores(rows, label="check", margin=0),
)
