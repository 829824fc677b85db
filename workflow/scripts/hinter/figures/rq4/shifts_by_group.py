"""Mean shifts of atomic mutants from each source to each target group (RQ4)."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import CenteredNorm

from ..figure import Figure
from ..style import COLUMN_WIDTH, draw_nothing, save, style, write_note

PANELS, GROUPS = 12, 8
"""How many panels are drawn at most, and groups to each side of one."""

KEYS = ["model", "dataset", "attributes"]
SIDES = ["source_group", "target_group"]
NAME = 20
"""How many letters of a group's name are shown at most."""
PALE = 0.3
NOTE = (
    "Mean shift in log-odds of atomic mutants from the group of the row to that of the column. "
    "Pale: the interval by original holds 0, or there is none."
)


def draw_shifts(rows: pd.DataFrame, *, pdf: Path, png: Path) -> None:
    """Draw the rows of `tabulate_shifts` on groups, a panel per model, dataset and attribute.

    Only atomic mutants are shown, and of many panels or groups those with the most scored mutants;
    how many there are is said. Cells whose interval holds 0, or that have none, are pale; those
    without mutants are empty.
    """
    lines = rows[(rows["level"] == "atomic") & rows["target_group"].notna() & (rows["scored"] > 0)]
    if lines.empty:
        draw_nothing("Nothing to show: no atomic mutant has scores.", pdf=pdf, png=png)
        return
    drawn = [_fitting(panel) for _, panel in _most(lines, KEYS, PANELS).groupby(KEYS, sort=False)]
    every = lines.groupby(KEYS).ngroups
    norm = CenteredNorm(halfrange=max(0.01, pd.concat(drawn)["mean_shift"].abs().max()))
    heights = [1 + panel["source_group"].nunique() for panel in drawn]
    with style():
        size = COLUMN_WIDTH, 0.6 + sum(0.75 + 0.15 * height for height in heights)
        figure, panels = plt.subplots(
            len(drawn), 1, figsize=size, squeeze=False, height_ratios=heights
        )
        for axes, panel in zip(panels.flat, drawn, strict=True):
            _draw_panel(axes, panel, lines=lines, norm=norm)
        fewer = f" {len(drawn)} of {every} panels are shown." if every > PANELS else ""
        write_note(figure, NOTE + fewer)
        save(figure, pdf=pdf, png=png)


def _most(rows: pd.DataFrame, keys: list[str], most: int) -> pd.DataFrame:
    """Return the rows of those values of the keys that have the most scored mutants."""
    scored = rows.groupby(keys)["scored"].transform("sum")
    ranks = pd.Series(list(zip(-scored, *(rows[key] for key in keys), strict=True)), rows.index)
    return rows[ranks.isin(sorted(set(ranks))[:most])]


def _fitting(panel: pd.DataFrame) -> pd.DataFrame:
    """Return the lines between the groups of a panel that fit."""
    for side in SIDES:
        panel = _most(panel, [side], GROUPS)
    return panel


def _draw_panel(
    axes: Axes, panel: pd.DataFrame, *, lines: pd.DataFrame, norm: CenteredNorm
) -> None:
    cells = panel.set_index(SIDES)
    means = cells["mean_shift"].unstack()
    away_from_zero = (cells["mean_shift_low"] > 0) | (cells["mean_shift_high"] < 0)
    sure = away_from_zero.unstack(fill_value=False).to_numpy()
    alpha = np.where(sure, 1, PALE)
    axes.imshow(means, cmap="PuOr", norm=norm, alpha=alpha, aspect="auto")
    for (down, across), mean in np.ndenumerate(means.to_numpy()):
        if not np.isnan(mean):
            strong = sure[down, across] and abs(mean) > 0.6 * norm.halfrange
            text = axes.text(across, down, f"{mean:z.2f}", ha="center", va="center", fontsize=5)
            text.set_color("white" if strong else "0.1")
    axes.set_xticks(range(len(means.columns)), [_short(name) for name in means.columns])
    axes.set_yticks(range(len(means)), [_short(name) for name in means.index])
    axes.tick_params(labelsize=5, pad=1)
    plt.setp(axes.get_xticklabels(), rotation=40, ha="right", rotation_mode="anchor")
    axes.grid(visible=False)
    axes.set_title(_title(panel, lines), loc="left", fontsize=6)


def _title(panel: pd.DataFrame, lines: pd.DataFrame) -> str:
    """Return what a panel shows, and of how many groups it shows the largest."""
    names = [str(panel[key].iloc[0]) for key in KEYS]
    whole = lines[(lines[KEYS] == names).all(axis=1)]
    fewer = [
        f"{panel[side].nunique()} of {whole[side].nunique()} {side.removesuffix('_group')}s"
        for side in SIDES
        if panel[side].nunique() < whole[side].nunique()
    ]
    title = f"{names[0]}, {names[1]}: {names[2]}"
    return f"{title} ({', '.join(fewer)})" if fewer else title


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"


FIGURE = Figure(
    question="RQ4",
    title="Shifts by group",
    reads=("shifts",),
    draw=draw_shifts,
)
