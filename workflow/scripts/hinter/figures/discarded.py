"""Figures 6 and 7 of the paper: discarded mutants, and the biased ones among them (RQ3)."""

from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter

from ..tables import describe_agreement, describe_false_positives
from .figure import COLUMN_WIDTH, Figure, Plot, plot_intervals, plot_stacked, subplots, write_note

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


RATES: dict[str, dict[str, Any]] = {
    "valid": {"color": "C0", "fmt": "o"},
    "discarded": {"color": "C1", "fmt": "s"},
}
SHARES = {"of mutants": "0.8", "of biased": "C1"}
"""The style of the bias rate of each check, and of the share of discarded mutants in each whole."""


def plot_false_positives(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_false_positives`: by level over all models, then by model.

    On the left are the bias rates with their 95 % cluster bootstrap by original, on the right the
    shares of discarded mutants among the tested and among the biased ones. A note below sums up
    both.
    """
    groups = _groups(rows)
    size = COLUMN_WIDTH, 1.9 + 0.36 * groups["name"].nunique()
    figure, panels = subplots(1, 2, figsize=size, sharey=True)
    look = {"markers": [look["fmt"] for look in RATES.values()], "dodge": 0.34}
    look |= {"hue_order": [*RATES], "palette": [look["color"] for look in RATES.values()]}
    plot_intervals(panels[0], groups, "bias_rate", ends="_cluster", y="name", hue="check", **look)
    _plot_shares(panels[1], groups)
    for axes, title in zip(panels, ("bias rate", "share of discarded"), strict=True):
        axes.set_title(title, loc="left")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), borderaxespad=3)
        axes.set(xlim=(0, None), xlabel="", ylabel="")
        axes.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(PercentFormatter(1))
    panels[0].set_ylabel("biased of tested mutants")
    write_note(figure, describe_false_positives(rows))
    return figure


def _groups(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are plotted, with the `name` of their line."""
    of_all = rows["model"] == "all"
    parts = [("level", rows[of_all])]
    if rows["model"].nunique() > 2:
        parts.append(("model", rows[~of_all & (rows["level"] == "all")]))
    return pd.concat(
        group.assign(name=f"{name}\n{group['biased'].sum():,} of {group['n'].sum():,}")
        for key, part in parts
        for name, group in part.groupby(key, sort=False)
    )


def _plot_shares(axes: Axes, groups: pd.DataFrame) -> None:
    named = {"mutants_share": "of mutants", "biased_share": "of biased"}
    shares = groups[[*named]].where(groups["check"] == "discarded", 0).rename(columns=named)
    each = shares.assign(name=groups["name"]).melt("name", [*SHARES], "of", "share")
    look = {"palette": SHARES, "saturation": 1, "errorbar": None}
    # The shares of valid mutants are 0 here, so `max` takes those of discarded ones.
    sns.barplot(each, x="share", y="name", hue="of", estimator="max", ax=axes, **look)
    for bar in axes.containers[0]:
        bar.set_hatch("////")


def plot_published_false_positives(rows: pd.DataFrame) -> Plot:
    """Plot the published rows of `figure7`, over all encoders: biased mutants, and rates.

    The paper plots only the numbers, which mostly reflect how many mutants were run.
    """
    rows_of_all = rows[rows["model"] == "all"].set_index(["quantity", "part"])
    figure, panels = subplots(1, 2, figsize=(COLUMN_WIDTH, 2.6), sharey=True)
    _plot_published(panels[0], rows_of_all["count"], "biased", ends=1.6)
    _plot_published(panels[1], rows_of_all["share"], "bias_rate", ends=1.7)
    panels[0].xaxis.set_major_formatter(EngFormatter(sep=""))
    panels[1].xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    biased = rows_of_all["of"]["valid_biased"]
    panels[0].set_yticks(range(len(LEVELS)), [f"{level}\n{biased[level]:,}" for level in LEVELS])
    panels[0].set_ylim(len(LEVELS) - 0.5, -0.5)
    for axes, title in zip(panels, ("biased mutants", "bias rate"), strict=True):
        axes.set_title(title, loc="left")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), borderaxespad=3)
    write_note(figure, describe_agreement(rows))
    return figure


def _plot_published(axes: Axes, values: "pd.Series[float]", quantity: str, *, ends: float) -> None:
    """Plot numbers as bars, or rates as dots, on an axis up to `ends` times the largest."""
    for shift, (check, look) in zip((-0.19, 0.19), RATES.items(), strict=True):
        found = [values[f"{check}_{quantity}", level] for level in LEVELS]
        places = [place + shift for place in range(len(LEVELS))]
        look = {"color": look["color"], "label": check}
        if quantity == "biased":
            hatch = "" if check == "valid" else "///"
            axes.barh(places, found, 0.36, hatch=hatch, edgecolor="white", **look)
            words = [f" {count / 1e6:.2f}M" for count in found]
        else:
            axes.plot(found, places, RATES[check]["fmt"], ms=4, **look)
            words = [f"  {rate:.2%}" for rate in found]
        for value, place, text in zip(found, places, words, strict=True):
            axes.text(value, place, text, va="center", fontsize=6)
    axes.set_xlim(
        0, ends * max(values[f"{check}_{quantity}", level] for check in RATES for level in LEVELS)
    )
    axes.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))


FIGURES = {
    "rq3/figure6_validity": Figure(
        title="Figure 6: valid and discarded mutants", plot=plot_validity
    ),
    "published/figure6_validity": Figure(
        title="Figure 6: valid and discarded mutants", plot=plot_published_validity
    ),
    "rq3/figure7_false_positives": Figure(
        title="Figure 7: bias of discarded mutants", plot=plot_false_positives
    ),
    "published/figure7_false_positives": Figure(
        title="Figure 7: bias of discarded mutants", plot=plot_published_false_positives
    ),
}
