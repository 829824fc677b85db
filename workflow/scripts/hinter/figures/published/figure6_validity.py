"""Figure 6 of the paper from its published counts: how many mutants are valid (RQ3)."""

from typing import Any

import pandas as pd
from matplotlib.ticker import EngFormatter, MaxNLocator

from ...tables import describe_agreement
from ..figure import COLUMN_WIDTH, Figure, Plot, plot_stacked, subplots, write_note

SUITES: dict[str, dict[str, Any]] = {
    "encoders": {"color": "C0"},
    "prompted models": {"color": "C1", "hatch": "///"},
}
"""The two suites of valid mutants, and the style of their bars."""

LEVELS = ("all", "intersectional", "atomic")
NOTE = "Shares are of the valid mutants plus the discarded ones that the paper prints. {}"


def plot_published_validity(rows: pd.DataFrame) -> Plot:
    """Plot the valid mutants among the rows of `figure6`, next to the printed ones.

    Each level of mutants has a bar, divided by suite, with their number and share at its end.
    """
    values = rows.set_index(["quantity", "model", "part"])
    counts = values["count"]["valid"].unstack("model").loc[list(LEVELS)].astype(float)
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 2.3))
    plot_stacked(axes, counts, looks=SUITES)
    ends = counts[[*SUITES]].sum(axis=1)
    for place, level in enumerate(LEVELS):
        share = values["share"]["valid_share", "all", level]
        axes.text(ends[level], place, f" {ends[level]:,.0f}\n ({share:.2%})", va="center")
    axes.set_xlim(0, 1.45 * ends.max())
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlabel("valid mutants")
    figure.legend(loc="outside upper center", ncols=2)
    write_note(figure, NOTE.format(describe_agreement(rows)))
    return figure


FIGURE = Figure(
    title="Figure 6: valid and discarded mutants",
    reads=("figure6_validity",),
    plot=plot_published_validity,
)
