"""Figure 9 of the paper as published and as corrected: what atomic tests miss (RQ4)."""

import pandas as pd
from matplotlib.ticker import PercentFormatter

from ...tables import describe_agreement
from ..figure import COLUMN_WIDTH, Figure, Plot, plot_stacked, subplots, write_note

BARS = {
    "a) as published": "intersectional_only_as_published",
    "a) corrected": "intersectional_only",
    "b) atomic": "atomic_only",
}
PARTS = {
    "found by one kind of test only": {"color": "C1", "hatch": "///"},
    "by both": {"color": "C0"},
}
"""The parts of a bar, and their style."""
NOTE = (
    "a) biased intersectional mutants without biased sub-mutants; as published, those whose second "
    "one is biased. b) biased atomic mutants that are part of no biased intersectional one. {}"
)


def plot_published_atomic(rows: pd.DataFrame) -> Plot:
    """Plot the totals of `figure9`, a bar for each pie of the paper."""
    totals = rows[rows["model"].eq("all") & rows["part"].eq("all")].set_index("quantity")
    bars = totals.loc[list(BARS.values())]
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 2.4))
    share = bars["share"].astype(float)
    shares = pd.DataFrame(dict(zip(PARTS, (share, 1 - share), strict=True)))
    names = [f"{name}\n{of:,}" for name, of in zip(BARS, bars["of"], strict=True)]
    plot_stacked(axes, shares.set_axis(names), looks=PARTS)
    for place, (count, end) in enumerate(zip(bars["count"], bars["share"], strict=True)):
        words = f" {count:,} ({end:.2%})"
        axes.text(end, place, words, va="center", color="white", fontweight="bold")
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    figure.legend(loc="outside upper center", ncols=2)
    write_note(figure, NOTE.format(describe_agreement(rows)))
    return figure


FIGURE = Figure(
    title="Figure 9: bias that only one kind of test finds",
    reads=("figure9_atomic_bias",),
    plot=plot_published_atomic,
)
