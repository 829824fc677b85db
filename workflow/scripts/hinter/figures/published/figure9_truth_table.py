"""Figure 9 of the paper from its published counts: mutants and their atomic ones (RQ4)."""

from ..figure import Figure
from ..rq4.figure9_truth_table import plot_truth_table

FIGURE = Figure(
    title="Figure 9: mutants and their atomic ones",
    reads=("figure9_truth_table",),
    plot=plot_truth_table,
)
