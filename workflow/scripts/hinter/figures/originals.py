"""Figures 4 and 10 of the paper: originals by the tests that find bias (RQ1, RQ4)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ..tables import CAMPAIGNS
from .figure import COLUMN_WIDTH, Figure, Plot, fade_few, overall, plot_bars, subplots

KINDS = {
    "mutants": {"share": "share", "part": "biased", "whole": "originals"},
    "controls": {"share": "control_share", "part": "control_biased", "whole": "matched"},
}
"""What each bar shows, and the columns of its share and of its counts."""
COLOURS = {"mutants": "C0", "controls": "0.7"}


def plot_biased_originals(shares: pd.DataFrame, accuracy: pd.DataFrame) -> Plot:
    """Plot one bar per model in `shares` (see `tabulate_biased_originals`), with Wilson intervals.

    Each bar has its counts next to it, and each model's name its mean held-out accuracy below it.
    If there are controls, a pale bar below shows the share of originals with a biased control. The
    row of all models is left out, as each may be run on other originals.
    """
    shares = shares[shares["model"] != "all"]
    known = accuracy.groupby("model")["accuracy"].mean().to_dict()
    below = [
        f"\n(accuracy {known[model]:.0%})" if model in known else "" for model in shares["model"]
    ]
    named = shares.assign(name=shares["model"] + below)
    bars = pd.concat(
        named.assign(
            kind=kind,
            **{name: named[column] for name, column in columns.items()},
            **{f"share{end}": named[f"{columns['share']}{end}"] for end in ("_low", "_high")},
        )
        for kind, columns in KINDS.items()
        if columns["share"] in named
    ).dropna(subset="share")
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 0.6 + 0.6 * len(shares)))
    plot_bars(axes, bars, "share", y="name", hue="kind", palette=COLOURS)
    for container, (_, rows) in zip(axes.containers, bars.groupby("kind", sort=False), strict=True):
        for bar, row in zip(container, rows.to_dict("records"), strict=True):
            words = f"  {row['part']:,.0f} of {row['whole']:,.0f}"
            place = bar.get_y() + bar.get_height() / 2
            axes.text(row["share_high"], place, words, va="center", fontsize=7)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    if bars["kind"].nunique() == 1:
        axes.get_legend().remove()
    axes.set(xlim=(0, min(1.0, 1.55 * bars["share_high"].max())))
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("originals with at least one intersectional bias")
    return figure


def plot_published_originals(rows: pd.DataFrame) -> Plot:
    """Plot the published rows of `figure4`, with the printed share under each model's name."""
    printed = rows["model"] + "\n(printed " + rows["printed_percent"] + " %)"
    shares = rows.rename(columns={"count": "biased", "of": "originals"}).assign(model=printed)
    no_accuracy = pd.DataFrame({"model": [], "accuracy": []})
    return plot_biased_originals(shares, no_accuracy)


REGIONS = [
    (False, False, True),
    (True, False, False),
    (False, True, False),
    (True, False, True),
    (False, True, True),
    (True, True, False),
    (True, True, True),
]
"""Whether the first, the second and the intersectional campaign expose an original."""


def plot_exposure(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_exposure` for the model `all`, a panel per combination.

    The columns combination, model, first, second, intersectional and originals are used. In each
    line the dark dots are the campaigns that expose the originals counted by its bar. Bars and
    percentages are shares of the originals exposed by any campaign.
    """
    groups = dict(list(overall(rows).groupby("combination", sort=False)))
    size = COLUMN_WIDTH, 0.3 + 1.45 * len(groups)
    figure, panels = subplots(len(groups), 2, figsize=size, squeeze=False, width_ratios=[1, 4])
    exposed = [
        _plot_panel(dots, bars, group, combination=str(combination))
        for (dots, bars), (combination, group) in zip(panels, groups.items(), strict=True)
    ]
    fade_few(figure, panels[:, 1], [[total] * len(REGIONS) for total in exposed])
    return figure


def _plot_panel(dots: Axes, bars: Axes, rows: pd.DataFrame, *, combination: str) -> int:
    """Plot the originals of a combination, and return how many are exposed."""
    originals = rows.set_index(CAMPAIGNS)["originals"]
    counts = [int(originals.get(region, 0)) for region in REGIONS]
    benign, exposed = int(originals.get((False, False, False), 0)), sum(counts)
    first, _, second = combination.partition("+")
    _plot_dots(dots, names=[first, second, "both"] if second else ["first", "second", "both"])
    _plot_regions(bars, counts, exposed)
    bars.set_title(f"{combination}: {exposed:,} exposed, {benign:,} not", loc="left")
    return exposed


def _plot_dots(axes: Axes, *, names: list[str]) -> None:
    for line, region in enumerate(REGIONS):
        inside = np.flatnonzero(region)
        axes.plot(range(3), [line] * 3, "o", color="0.85", ms=3.5)
        axes.plot(inside, [line] * len(inside), "o-", color="0.15", ms=3.5, lw=1)
    axes.set_xticks(range(3), names, rotation=90)
    axes.set_xlim(-0.5, 2.5)
    axes.set_ylim(len(REGIONS) - 0.5, -0.5)
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


def _plot_regions(axes: Axes, counts: list[int], exposed: int) -> None:
    colours = ["C1" if region == (False, False, True) else "C0" for region in REGIONS]
    shares = [count / max(exposed, 1) for count in counts]
    bars = axes.barh(range(len(counts)), shares, 0.7, color=colours)
    numbers = zip(counts, shares, strict=True)
    labels = [f"{count:,} ({share:.1%})" if exposed else "0" for count, share in numbers]
    axes.bar_label(bars, labels, padding=2, fontsize=6)
    # One scale for all panels: the bar of all exposed originals, and its label.
    axes.set_xlim(0, 1.45)
    axes.set_ylim(len(counts) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xticks([])
    axes.grid(visible=False)
    axes.spines[["top", "right", "bottom"]].set_visible(False)


def plot_published_exposure(rows: pd.DataFrame) -> Plot:
    """Plot the published rows of `figure10`, whose regions are campaigns joined by +."""
    named = rows["quantity"].str.split("+")
    regions = pd.DataFrame(
        {campaign: [campaign in names for names in named] for campaign in CAMPAIGNS}
    )
    originals = rows[["model", "count"]].set_axis(["model", "originals"], axis=1)
    return plot_exposure(originals.join(regions).assign(combination=rows["part"]))


FIGURES = {
    "rq1/figure4_biased_originals": Figure(
        title="Figure 4: biased originals",
        reads=("figure4_biased_originals", "accuracy"),
        plot=plot_biased_originals,
    ),
    "published/figure4_biased_originals": Figure(
        title="Figure 4: biased originals", plot=plot_published_originals
    ),
    "rq4/figure10_exposure": Figure(title="Figure 10: exposed originals", plot=plot_exposure),
    "published/figure10_exposure": Figure(
        title="Figure 10: exposed originals", plot=plot_published_exposure
    ),
}
