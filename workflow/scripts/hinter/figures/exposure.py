"""Figure 10 of the paper: originals by the campaigns that expose them (RQ4)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ..tables import CAMPAIGNS
from .figure import COLUMN_WIDTH, Figure, Plot, fade_few, overall, subplots

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
    _plot_bars(bars, counts, exposed)
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


def _plot_bars(axes: Axes, counts: list[int], exposed: int) -> None:
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
    "rq4/figure10_exposure": Figure(title="Figure 10: exposed originals", plot=plot_exposure),
    "published/figure10_exposure": Figure(
        title="Figure 10: exposed originals", plot=plot_published_exposure
    ),
}
