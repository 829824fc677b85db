"""Groups compared with each other at the same mentions, for a slide (RQ4)."""

from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ...tables import FEWEST_MENTIONS, JUDGING, are_clear
from ..figure import COLUMN_WIDTH, Figure, Plot, plot_nothing, subplots, write_note

RUNS, GROUPS = 3, 12
"""The most models on a dataset that are plotted, and the most groups of one attribute."""
ACROSS = 3
"""Panels in a row."""
FEW = "0.65"
"""The colour of groups with few mentions."""
MARKERS = "os^"
NOTE = (
    "Dots: contrast of a group with the others at the same mention, with a 95 % interval by "
    "original; filled if q and interval are clear. In brackets: mentions; grey at fewer than "
    f"{FEWEST_MENTIONS}, arrows: such an interval goes on. Ticks: the group's mean shift from the "
    "original."
)
JUDGES = " *: its words judge by themselves, so no finding on it is reported."


def plot_contrasts(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_contrasts` on groups, a panel per attribute.

    If there are too many models and datasets, or groups, those with the most mentions are shown,
    with a note of how many there are.
    """
    lines = rows[~rows["attribute"].str.contains("+", regex=False) & (rows["scored"] > 0)]
    if lines.empty:
        return plot_nothing("Nothing to show: no atomic mutant has scores.")
    judging = lines["judging_share"] >= JUDGING
    lines = lines.assign(
        run=lines["model"] + ", " + lines["dataset"],
        # Runs may use different terms of a group.
        group=lines["group"].replace({name: f"{name}*" for name in lines["group"][judging]}),
        clear=are_clear(lines, "contrast", "q_value") & ~judging,
    )
    runs = _most(lines, "run", RUNS)
    attributes = list(lines[lines["run"].isin(runs)].groupby("attribute"))
    shown = [
        attribute[attribute["group"].isin(_most(attribute, "group", GROUPS))]
        for _, attribute in attributes
    ]
    down, across = ceil(len(shown) / ACROSS), min(len(shown), ACROSS)
    most = max(panel["group"].nunique() for panel in shown)
    figure, panels = subplots(
        down,
        across,
        figsize=(ACROSS * COLUMN_WIDTH, 0.8 + down * (0.6 + 0.17 * most)),
        sharex=True,
        squeeze=False,
    )
    ends = _ends(pd.concat(shown))
    for axes, panel, (name, attribute) in zip(panels.flat, shown, attributes, strict=False):
        _plot_panel(axes, panel, runs=runs, ends=ends)
        every, plotted = (each["group"].nunique() for each in (attribute, panel))
        axes.set_title(f"{name} ({plotted} of {every} groups)" if plotted < every else name)
    for axes in panels.flat[len(shown) :]:
        axes.axis("off")
    panels[0, 0].set_xlim(*ends)
    for axes in panels[-1]:
        axes.set_xlabel("log-odds, below 0: treated worse")
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=RUNS)
    every = lines["run"].nunique()
    fewer = f" {RUNS} of {every} models and datasets are shown." if every > RUNS else ""
    judges = any(panel["group"].str.endswith("*").any() for panel in shown)
    write_note(figure, NOTE + JUDGES * judges + fewer)
    return figure


def _most(rows: pd.DataFrame, key: str, most: int) -> list[str]:
    """Return the values of the key that have the most mentions, sorted."""
    mentions = rows.groupby(key)["mentions"].sum().sort_values(ascending=False, kind="stable")
    return sorted(mentions.index[:most])


def _plot_panel(
    axes: Axes, panel: pd.DataFrame, *, runs: list[str], ends: tuple[float, float]
) -> None:
    """Plot a line per group, the lowest contrast on top, with a dot per run.

    Arrows are at the `ends` of the axis where intervals go on.
    """
    order = panel.groupby("group")["contrast"].mean().sort_values(kind="stable")
    heights = pd.Series(np.arange(len(order), dtype=float), order.index)
    for number, run in enumerate(runs):
        lines = panel[panel["run"] == run]
        places = heights[lines["group"]].to_numpy() + 0.25 * (number - (len(runs) - 1) / 2)
        axes.plot(lines["mean_shift"], places, "|", color=f"C{number}", alpha=0.5)
        axes.plot([], [], MARKERS[number], color=f"C{number}", ms=4, label=run)
        cut = (lines["contrast_low"] < ends[0], lines["contrast_high"] > ends[1])
        # An artist of no point has no size for the layout.
        look: dict[str, Any] = {"color": FEW, "ms": 3, "clip_on": False, "in_layout": False}
        for arrow, end, beyond in zip("<>", ends, cut, strict=True):
            axes.plot([end] * beyond.sum(), places[beyond], arrow, **look)
        for height, line in zip(places, lines.to_dict("records"), strict=True):
            colour = FEW if line["mentions"] < FEWEST_MENTIONS else f"C{number}"
            below, above = (
                abs(line["contrast"] - line[f"contrast_{end}"]) for end in ("low", "high")
            )
            axes.errorbar(
                line["contrast"],
                height,
                xerr=[[below], [above]],
                fmt=MARKERS[number],
                color=colour,
                ms=4,
                mfc=colour if line["clear"] else "white",
            )
    counts = panel.groupby("group")["mentions"].agg(lambda each: "/".join(map(str, each)))
    axes.set_yticks(heights, [f"{name.replace('_', ' ')} ({counts[name]})" for name in order.index])
    axes.set_ylim(len(heights) - 0.3, -0.7)
    axes.tick_params(labelbottom=True)
    axes.axvline(0, color="0.35", linewidth=0.8)


def _ends(lines: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis with all dots and ticks, and the intervals of many mentions."""
    often = lines.loc[lines["mentions"] >= FEWEST_MENTIONS, ["contrast_low", "contrast_high"]]
    numbers = np.concatenate([lines[["contrast", "mean_shift"]], often], axis=None)
    low, high = min(0.0, np.nanmin(numbers)), max(0.0, np.nanmax(numbers))
    margin = 0.05 * (high - low) or 0.01
    return low - margin, high + margin


FIGURE = Figure(title="Contrasts between groups", reads=("contrasts",), plot=plot_contrasts)
