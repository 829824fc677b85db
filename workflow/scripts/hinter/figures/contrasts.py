"""Groups compared with each other at the same mentions: all, and those for a slide (RQ4)."""

from collections.abc import Iterator
from math import ceil
from textwrap import wrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from ..dictionary import CONTROL
from ..tables import FEWEST_MENTIONS, JUDGING, are_clear
from .figure import COLUMN_WIDTH, Figure, Plot, plot_nothing, subplots, write_note

RUNS, GROUPS = 3, 12
"""The most models on a dataset that are plotted, and the most groups of one attribute."""
ACROSS = 3
"""Panels in a row."""
FEW = "0.65"
"""The colour of groups with few mentions."""
MARKERS = "os^Dv"
NOTE = (
    "Dots: contrast of a group with the others at the same mention, with a 95 % interval by "
    "original; filled if q and interval are clear. In brackets: mentions; grey at fewer than "
    f"{FEWEST_MENTIONS}, arrows: such an interval goes on. Ticks: the group's mean shift from the "
    "original."
)
JUDGES = " *: its words judge by themselves, so no finding on it is reported."
SIZE = 8.0, 4.5
"""Inches of a slide."""
LETTERS = 12
"""Points of the letters on a slide."""
FARTHEST = 10
"""The most groups that can be read from afar."""


def plot_contrasts(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_contrasts` on groups, a panel per attribute.

    If there are too many models and datasets, or groups, those with the most mentions are shown,
    with a note of how many there are.
    """
    lines = _on_groups(rows[rows["scored"] > 0])
    if lines.empty:
        return plot_nothing("Nothing to show: no atomic mutant has scores.")
    # Runs may use different terms of a group.
    judging = {name: f"{name}*" for name in lines["group"][lines["judging"]]}
    lines = lines.assign(group=lines["group"].replace(judging))
    runs = _most(lines, "run", RUNS)
    of_runs = lines[lines["run"].isin(runs)]
    attributes = {str(name): every for name, every in of_runs.groupby("attribute")}
    shown = {
        name: every[every["group"].isin(_most(every, "group", GROUPS))]
        for name, every in attributes.items()
    }
    figure, panels = _panels(shown)
    ends = _ends(pd.concat(shown.values()))
    panels.flat[0].set_xlim(*ends)
    for axes, (name, panel) in zip(panels.flat, shown.items(), strict=False):
        _plot_panel(axes, panel, runs=runs, ends=ends)
        every, plotted = (each["group"].nunique() for each in (attributes[name], panel))
        axes.set_title(f"{name} ({plotted} of {every} groups)" if plotted < every else name)
    figure.legend(
        *panels.flat[0].get_legend_handles_labels(), loc="outside upper right", ncols=RUNS
    )
    every = lines["run"].nunique()
    fewer = f" {RUNS} of {every} models and datasets are shown." if every > RUNS else ""
    judges = any(panel["group"].str.endswith("*").any() for panel in shown.values())
    write_note(figure, NOTE + JUDGES * judges + fewer)
    return figure


def plot_treated(rows: pd.DataFrame) -> Plot:
    """Plot the contrasts of the groups that differ most from others, with their intervals.

    `rows` are those of `tabulate_contrasts`. Cells of two attributes, neutral groups and groups
    with few mentions are left out. A dot is filled if the difference is clear. Groups of which the
    sentences on the table report no finding are only named.
    """
    groups = _on_groups(rows[(rows["mentions"] >= FEWEST_MENTIONS) & rows["contrast"].notna()])
    groups = groups[groups["attribute"] != CONTROL]
    left_out = ", ".join(groups["group"][groups["judging"]].unique())
    why = f"Left out, as their words judge by themselves: {left_out}." if left_out else ""
    groups = groups[~groups["judging"]]
    if groups.empty:
        few = f"Nothing to show: no group has {FEWEST_MENTIONS} mentions or more."
        return plot_nothing(why or few)
    groups = groups.assign(group=groups["group"] + " (" + groups["attribute"] + ")")
    runs = list(dict.fromkeys(groups["run"]))[: len(MARKERS)]
    groups = groups[groups["run"].isin(runs)]
    farthest = groups.groupby("group")["contrast"].agg(lambda each: each.abs().max())
    names = farthest.sort_values(ascending=False, kind="stable").index[:FARTHEST]
    figure, axes = subplots(figsize=SIZE)
    _plot_for_slide(axes, groups[groups["group"].isin(names)], runs=runs)
    of = f"{len(names)} of {groups['group'].nunique()} groups"
    figure.suptitle(f"Compared with the others of their attribute: {of}", fontsize=LETTERS)
    only = f"{runs[0]}: " if len(runs) == 1 else ""
    words = [f"{only}log-odds; below 0: treated worse; filled: clear", *wrap(why, 4 * LETTERS)]
    axes.set_xlabel("\n".join(words), fontsize=LETTERS)
    return figure


def _on_groups(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows on groups with their `run`, whether words are `judging`, and if `clear`."""
    lines = rows[~rows["attribute"].str.contains("+", regex=False)]
    judging = lines["judging_share"] >= JUDGING
    return lines.assign(
        run=lines["model"] + ", " + lines["dataset"],
        group=lines["group"].str.replace("_", " "),
        judging=judging,
        clear=are_clear(lines, "contrast", "q_value") & ~judging,
    )


def _most(rows: pd.DataFrame, key: str, most: int) -> list[str]:
    """Return the values of the key that have the most mentions, sorted."""
    mentions = rows.groupby(key)["mentions"].sum().sort_values(ascending=False, kind="stable")
    return sorted(mentions.index[:most])


def _panels(shown: dict[str, pd.DataFrame]) -> tuple[Plot, Any]:
    """Return a figure with a panel for each attribute."""
    down, across = ceil(len(shown) / ACROSS), min(len(shown), ACROSS)
    most = max(panel["group"].nunique() for panel in shown.values())
    size = ACROSS * COLUMN_WIDTH, 0.8 + down * (0.6 + 0.17 * most)
    figure, panels = subplots(down, across, figsize=size, sharex=True, squeeze=False)
    for axes in panels.flat[len(shown) :]:
        axes.axis("off")
    for axes in panels.flat[len(shown) - across : len(shown)]:
        axes.set_xlabel("log-odds, below 0: treated worse")
    return figure, panels


def _plot_panel(
    axes: Axes, panel: pd.DataFrame, *, runs: list[str], ends: tuple[float, float]
) -> None:
    """Plot the groups of an attribute, with arrows at the `ends` where intervals go on."""
    for number, lines in _by_run(panel, runs=runs, gap=0.25):
        axes.plot(lines["mean_shift"], lines["place"], "|", color=f"C{number}", alpha=0.5)
        cut = (lines["contrast_low"] < ends[0], lines["contrast_high"] > ends[1])
        # An artist of no point has no size for the layout.
        look: dict[str, Any] = {"color": FEW, "ms": 3, "clip_on": False, "in_layout": False}
        for arrow, end, beyond in zip("<>", ends, cut, strict=True):
            axes.plot([end] * beyond.sum(), lines["place"][beyond], arrow, **look)
        _plot_dots(axes, lines, number=number, run=runs[number], ms=4)
    axes.set_yticks(*_named(panel, "{} ({})"))
    axes.set_ylim(panel["group"].nunique() - 0.3, -0.7)
    axes.tick_params(labelbottom=True)
    axes.axvline(0, color="0.35", linewidth=0.8)


def _plot_for_slide(axes: Axes, shown: pd.DataFrame, *, runs: list[str]) -> None:
    for number, lines in _by_run(shown, runs=runs, gap=0.2):
        _plot_dots(axes, lines, number=number, run=runs[number], ms=8, lw=2)
    axes.set_yticks(*_named(shown, "{}, n = {}"), fontsize=LETTERS)
    axes.set_ylim(shown["group"].nunique() - 0.4, -0.6)
    axes.tick_params(axis="x", labelsize=LETTERS)
    axes.axvline(0, color="0.35", linewidth=1)
    if len(runs) > 1:
        entries = axes.get_legend_handles_labels()
        axes.figure.legend(*entries, loc="outside lower center", ncols=2, fontsize=LETTERS)


def _by_run(
    rows: pd.DataFrame, *, runs: list[str], gap: float
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield the number and the rows of each run, with the `place` of each, `gap` below the last."""
    order = _order(rows)
    for number, run in enumerate(runs):
        lines = rows[rows["run"] == run]
        shift = gap * (number - (len(runs) - 1) / 2)
        yield number, lines.assign(place=order.get_indexer(pd.Index(lines["group"])) + shift)


def _order(rows: pd.DataFrame) -> pd.Index:
    """Return the groups from the lowest contrast, which is on top."""
    return rows.groupby("group")["contrast"].mean().sort_values(kind="stable").index


def _named(rows: pd.DataFrame, form: str) -> tuple[range, list[str]]:
    """Return the place and the label of each group, with its mentions in each run."""
    counts = rows.groupby("group")["mentions"].agg(lambda each: "/".join(map(str, each)))
    labels = [form.format(name, counts[name]) for name in _order(rows)]
    return range(len(labels)), labels


def _plot_dots(axes: Axes, lines: pd.DataFrame, *, number: int, run: str, **look: Any) -> None:
    """Plot the contrasts of a run with their intervals, filled if they are clear."""
    marker = MARKERS[number]
    axes.plot([], [], marker, color=f"C{number}", ms=look["ms"], label=run)
    for line in lines.to_dict("records"):
        colour = FEW if line["mentions"] < FEWEST_MENTIONS else f"C{number}"
        ends = [[abs(line["contrast"] - line[f"contrast_{end}"])] for end in ("low", "high")]
        face = colour if line["clear"] else "white"
        where = line["contrast"], line["place"]
        axes.errorbar(*where, xerr=ends, fmt=marker, color=colour, mfc=face, **look)


def _ends(lines: pd.DataFrame) -> tuple[float, float]:
    """Return the ends of an axis with all dots and ticks, and the intervals of many mentions."""
    often = lines.loc[lines["mentions"] >= FEWEST_MENTIONS, ["contrast_low", "contrast_high"]]
    numbers = np.concatenate([lines[["contrast", "mean_shift"]], often], axis=None)
    low, high = min(0.0, np.nanmin(numbers)), max(0.0, np.nanmax(numbers))
    margin = 0.05 * (high - low) or 0.01
    return low - margin, high + margin


FIGURES = {
    "rq4/contrasts": Figure(title="Contrasts between groups", plot=plot_contrasts),
    "rq4/treated": Figure(
        title="Who is treated how (for a slide)", reads=("contrasts",), plot=plot_treated
    ),
}
