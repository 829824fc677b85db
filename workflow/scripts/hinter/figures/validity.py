"""Figure 6 of the paper: how many mutants are valid, and why the others are discarded (RQ3)."""

from typing import Any

import pandas as pd
from matplotlib.ticker import EngFormatter, MaxNLocator

from ..tables import describe_agreement
from .figure import COLUMN_WIDTH, Figure, Plot, plot_stacked, subplots, write_note

PARTS = {
    "valid": "valid",
    "pos": "discarded: part of speech",
    "dep": "discarded: dependency",
    "sentence_count": "discarded: sentences",
}
"""The columns that make a bar, and their names in the legend."""
LOOKS: list[dict[str, Any]] = [
    {"color": "C0"},
    {"color": "C1", "hatch": "///"},
    {"color": "C8", "hatch": "..."},
    {"color": "C7"},
]


def plot_validity(rows: pd.DataFrame) -> Plot:
    """Plot a bar per level of mutants from the rows of `tabulate_validity`, over all datasets.

    A bar shows the mutants that were checked. Its label gives their number, the share of valid ones
    and the number of unchecked ones.
    """
    # Totals come first.
    rows = rows[rows["dataset"] == rows["dataset"].iloc[0]]
    checked = rows["valid"] + rows["discarded"]
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 1.1 + 0.4 * len(rows)))
    shares = rows[[*PARTS]].div(checked, axis=0).rename(columns=PARTS)
    looks = dict(zip(PARTS.values(), LOOKS, strict=True))
    plot_stacked(axes, shares.set_axis(_names(rows, checked)), looks=looks)
    axes.set_xlabel("mutants checked")
    figure.legend(handles=axes.containers, loc="outside upper center", ncols=2)
    return figure


def _names(rows: pd.DataFrame, checked: "pd.Series[int]") -> list[str]:
    columns = (rows["level"], rows["valid_share"], checked, rows["unchecked"])
    return [
        f"{level}: {n:,}"
        + (f"\n{share:.2%} valid" if n else "")
        + (f"\n({unchecked:,} unchecked)" if unchecked else "")
        for level, share, n, unchecked in zip(*columns, strict=True)
    ]


SUITES: dict[str, dict[str, Any]] = {
    "encoders": {"color": "C0"},
    "prompted models": {"color": "C1", "hatch": "///"},
}
"""The two suites of valid mutants, and the style of their bars."""

LEVELS = ("all", "intersectional", "atomic")
NOTE = "Shares are of the valid mutants plus the discarded ones that the paper prints. {}"


def plot_published_validity(rows: pd.DataFrame) -> Plot:
    """Plot the valid mutants among the published rows of `figure6`, next to the printed ones.

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


FIGURES = {
    "rq3/figure6_validity": Figure(
        title="Figure 6: valid and discarded mutants", plot=plot_validity
    ),
    "published/figure6_validity": Figure(
        title="Figure 6: valid and discarded mutants", plot=plot_published_validity
    ),
}
