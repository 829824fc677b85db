"""Grammar scores of originals and mutants side by side, with their differences (RQ2, RQ3)."""

from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from .figure import COLUMN_WIDTH, Drawing, subplots

TEXTS: dict[str, dict[str, Any]] = {
    "originals": {"mfc": "white", "color": "0.35"},
    "mutants": {"color": "C0"},
}
"""The texts that are scored, and how their scores look."""


def draw_scores(rows: pd.DataFrame, *, label: str, margin: float) -> Drawing:
    """Draw a row of dots for each row of the table, named by its column `label`.

    On the left are the scores of originals and mutants, on the right their differences, over a band
    of `margin` points on both sides of 0; each has its 95 % cluster bootstrap by original.
    """
    # Totals come first.
    total = rows[rows["dataset"] == rows["dataset"].iloc[0]]
    levels = list(total.groupby("level", sort=False))
    heights = [len(group) for _, group in levels]
    figure, panels = subplots(
        len(levels),
        2,
        figsize=(COLUMN_WIDTH, 0.9 + sum(0.2 + 0.27 * height for height in heights)),
        sharex="col",
        sharey="row",
        squeeze=False,
        gridspec_kw={"height_ratios": heights},
    )
    for (level, group), (left, right) in zip(levels, panels, strict=True):
        for shift, (name, look) in zip((-0.17, 0.17), TEXTS.items(), strict=True):
            _draw_dots(left, group, f"score_{name}", shift=shift, label=name, **look)
        _draw_differences(right, group, margin=margin)
        _label_rows(left, group, label=label)
        left.set_title(f"{level} mutants", loc="left")
    for axes, title in zip(panels[-1], ("score", "mutants − originals"), strict=True):
        axes.set_xlabel(title)
        axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    entries = [axes.get_legend_handles_labels() for axes in panels[0]]
    handles, names = (list(chain(*parts)) for parts in zip(*entries, strict=True))
    figure.legend(handles, names, loc="outside upper right", ncols=3)
    return figure


def _draw_differences(axes: Axes, rows: pd.DataFrame, *, margin: float) -> None:
    axes.axvline(0, color="0.35", linewidth=0.8)
    if margin > 0:
        axes.axvspan(-margin, margin, color="0.9", zorder=0, label=f"within ±{margin:g}")
    _draw_dots(axes, rows, "difference", **TEXTS["mutants"])


def _draw_dots(axes: Axes, rows: pd.DataFrame, name: str, *, shift: float = 0, **look: Any) -> None:
    ends = [rows[name] - rows[f"{name}_low"], rows[f"{name}_high"] - rows[name]]
    places = np.arange(len(rows)) + shift
    axes.errorbar(rows[name], places, xerr=ends, fmt="o", ms=3.5, lw=1, capsize=1.5, **look)


def _label_rows(axes: Axes, rows: pd.DataFrame, *, label: str) -> None:
    names = [f"{name}\nn = {n:,}" for name, n in zip(rows[label], rows["n"], strict=True)]
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.5, -0.5)
