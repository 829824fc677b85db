"""Figure 10 of the paper: originals by the campaigns that expose them (RQ4)."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ...tables import CAMPAIGNS
from ..figure import COLUMN_WIDTH, Figure, Plot, fade_few, overall, subplots

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
    line the dark dots are the campaigns that expose the originals counted by its bar; percentages
    are of the originals exposed by any campaign.
    """
    groups = dict(list(overall(rows).groupby("combination", sort=False)))
    size = COLUMN_WIDTH, 0.3 + 1.45 * len(groups)
    figure, panels = subplots(len(groups), 2, figsize=size, squeeze=False, width_ratios=[1, 4])
    for (dots, bars), (combination, group) in zip(panels, groups.items(), strict=True):
        _plot_panel(figure, dots, bars, group, combination=str(combination))
    return figure


def _plot_panel(
    figure: Plot, dots: Axes, bars: Axes, rows: pd.DataFrame, *, combination: str
) -> None:
    originals = rows.set_index(CAMPAIGNS)["originals"]
    counts = [int(originals.get(region, 0)) for region in REGIONS]
    benign, exposed = int(originals.get((False, False, False), 0)), sum(counts)
    first, _, second = combination.partition("+")
    _plot_dots(dots, names=[first, second, "both"] if second else ["first", "second", "both"])
    _plot_bars(bars, counts)
    fade_few(figure, bars, [exposed] * len(counts))
    bars.set_title(f"{combination}: {exposed:,} exposed, {benign:,} not", loc="left")


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
    for spine in axes.spines.values():
        spine.set_visible(False)


def _plot_bars(axes: Axes, counts: list[int]) -> None:
    exposed = sum(counts)
    colours = ["C1" if region == (False, False, True) else "C0" for region in REGIONS]
    axes.barh(range(len(counts)), counts, 0.7, color=colours)
    for line, count in enumerate(counts):
        share = f" ({count / exposed:.1%})" if exposed else ""
        axes.text(count, line, f" {count:,}{share}", va="center", fontsize=6)
    axes.set_xlim(0, 1.45 * max(*counts, 1))
    axes.set_ylim(len(counts) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xticks([])
    axes.grid(visible=False)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)


FIGURE = Figure(
    title="Figure 10: exposed originals", reads=("figure10_exposure",), plot=plot_exposure
)
