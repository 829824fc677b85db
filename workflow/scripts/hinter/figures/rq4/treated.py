"""Who is treated how, for a slide: the groups furthest from the others, in large letters (RQ4)."""

from textwrap import wrap

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ...dictionary import CONTROL
from ...tables import FEWEST_MENTIONS, JUDGING, are_clear
from ..figure import Figure, Plot, plot_nothing, subplots

SIZE = 8.0, 4.5
"""Inches of a slide."""
LETTERS = 12
GROUPS = 10
"""The most groups that can be read from afar."""
MARKERS = "os^Dv"


def plot_treated(rows: pd.DataFrame) -> Plot:
    """Plot the contrasts of the groups that differ most from others, with their intervals.

    `rows` are those of `tabulate_contrasts`. Cells of two attributes, neutral groups and groups
    with few mentions are left out. A dot is filled if the difference is clear. Groups of which the
    sentences on the table report no finding are only named.
    """
    known = rows[(rows["mentions"] >= FEWEST_MENTIONS) & rows["contrast"].notna()]
    cells = known["attribute"].str.contains("+", regex=False)
    groups = known[~cells & (known["attribute"] != CONTROL)]
    judging = groups["judging_share"] >= JUDGING
    left_out = ", ".join(groups.loc[judging, "group"].str.replace("_", " ").unique())
    why = f"Left out, as their words judge by themselves: {left_out}." if left_out else ""
    groups = groups[~judging]
    if groups.empty:
        few = f"Nothing to show: no group has {FEWEST_MENTIONS} mentions or more."
        return plot_nothing(why or few)
    groups = groups.assign(
        run=groups["model"] + ", " + groups["dataset"],
        name=groups["group"].str.replace("_", " ") + " (" + groups["attribute"] + ")",
    )
    runs = list(dict.fromkeys(groups["run"]))[: len(MARKERS)]
    groups = groups[groups["run"].isin(runs)]
    furthest = groups.groupby("name")["contrast"].agg(lambda each: each.abs().max())
    names = furthest.sort_values(ascending=False, kind="stable").index[:GROUPS]
    shown = groups[groups["name"].isin(names)]
    figure, axes = subplots(figsize=SIZE)
    _plot(axes, shown, runs=runs)
    of = f"{len(names)} of {groups['name'].nunique()} groups"
    figure.suptitle(f"Compared with the others of their attribute: {of}", fontsize=LETTERS)
    only = f"{runs[0]}: " if len(runs) == 1 else ""
    words = [f"{only}log-odds; below 0: treated worse; filled: clear", *wrap(why, 4 * LETTERS)]
    axes.set_xlabel("\n".join(words), fontsize=LETTERS)
    return figure


def _plot(axes: Axes, shown: pd.DataFrame, *, runs: list[str]) -> None:
    """Plot a line per group, the lowest contrast on top, with a dot per run."""
    order = shown.groupby("name")["contrast"].mean().sort_values(kind="stable").index
    heights = pd.Series(np.arange(len(order), dtype=float), order)
    for number, run in enumerate(runs):
        lines = shown[shown["run"] == run]
        colour, sure = f"C{number}", are_clear(lines, "contrast", "q_value").to_numpy()
        places = heights[lines["name"]].to_numpy() + 0.2 * (number - (len(runs) - 1) / 2)
        ends = [
            lines["contrast"] - lines["contrast_low"],
            lines["contrast_high"] - lines["contrast"],
        ]
        axes.errorbar(lines["contrast"], places, xerr=ends, fmt="none", color=colour, lw=2)
        axes.plot(lines["contrast"], places, MARKERS[number], color=colour, ms=8, mfc="white")
        axes.plot(lines["contrast"][sure], places[sure], MARKERS[number], color=colour, ms=8)
        axes.plot([], [], MARKERS[number], color=colour, ms=8, label=run)
    counts = shown.groupby("name")["mentions"].agg(lambda each: "/".join(map(str, each)))
    labels = [f"{name}, n = {counts[name]}" for name in order]
    axes.set_yticks(heights, labels, fontsize=LETTERS)
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.tick_params(axis="x", labelsize=LETTERS)
    axes.axvline(0, color="0.35", linewidth=1)
    if len(runs) > 1:
        axes.legend(fontsize=LETTERS, loc="best", frameon=True)


FIGURE = Figure(title="Who is treated how (for a slide)", reads=("contrasts",), plot=plot_treated)
