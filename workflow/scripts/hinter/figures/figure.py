"""The declaration of a figure: the tables that it reads, and how they are plotted, in one style.

Figures are readable in one column of print and without colour vision.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure as Plot
from matplotlib.ticker import PercentFormatter

from ..declarations import Declaration
from ..tables import read_table

COLUMN_WIDTH = 3.4
"""Width of one printed column, in inches."""

FEWEST = 10
"""Bars that are shares of fewer are pale."""

SETTINGS = {
    "axes.grid.axis": "x",
    "axes.titlesize": 8,
    "figure.constrained_layout.use": True,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "HInter",
}


def subplots(*shape: int, **options: Any) -> tuple[Plot, Any]:
    """Return a figure with its panel or panels, as matplotlib's function of this name does."""
    grid: tuple[Plot, Any] = plt.subplots(*shape, **options)
    return grid


def plot_intervals(
    axes: Axes, rows: pd.DataFrame, value: str, *, ends: str = "", **options: Any
) -> None:
    """Plot the column `value` as dots, with its interval, `{value}{ends}_low` and `_high`.

    `options` are those of seaborn's `pointplot`, such as the other axis and a hue.
    """
    look: dict[str, Any] = {"markersize": 3.5, "capsize": 0.1, "err_kws": {"lw": 1}}
    look |= {"linestyle": "none", **options}
    _plot_with_ends(sns.pointplot, axes, rows, value, ends=ends, **look)


def plot_bars(axes: Axes, rows: pd.DataFrame, value: str, **options: Any) -> None:
    """Plot the column `value` as bars, with its interval; `options` are those of `barplot`."""
    look: dict[str, Any] = {"saturation": 1, "capsize": 0.2, "err_kws": {"lw": 1, "color": "0.3"}}
    _plot_with_ends(sns.barplot, axes, rows, value, **(look | options))


def _plot_with_ends(
    plot: Callable[..., Any],
    axes: Axes,
    rows: pd.DataFrame,
    value: str,
    *,
    ends: str = "",
    **options: Any,
) -> None:
    columns = [value, f"{value}{ends}_low", f"{value}{ends}_high"]
    others = [name for name in rows if name not in columns]
    each = rows.melt(others, columns, value_name="shown")
    # seaborn computes intervals itself. Given the value and the ends of its interval, the median is
    # the value, and the range of all three is the interval.
    middle = {"estimator": "median", "errorbar": ("pi", 100)}
    plot(each, ax=axes, **{"x": "shown", **middle, **options})
    axes.set(xlabel="", ylabel="")


def plot_stacked(
    axes: Axes, parts: pd.DataFrame, *, looks: Mapping[str, Mapping[str, Any]]
) -> None:
    """Plot a stacked bar for each row, with a part per column; `looks` has the style of each.

    The axis is that of shares; callers with other parts set their own. A part that no bar has is
    left out, so that the legend has no entry for it.
    """
    ends = pd.Series(0.0, index=parts.index)
    for name in filter(lambda name: parts[name].any(), looks):
        look = {"label": name, "edgecolor": "white", **looks[name]}
        axes.barh(range(len(parts)), parts[name], 0.7, ends, **look)
        ends += parts[name]
    axes.set_yticks(range(len(parts)), list(parts.index))
    axes.set_ylim(len(parts) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))


def fade_few(figure: Plot, panels: Sequence[Axes], totals: Sequence[Sequence[int]]) -> None:
    """Make bars pale that are shares of fewer than `FEWEST`, and say so below the figure.

    `totals` has what the bars of each line of each panel are shares of.
    """
    for axes, wholes in zip(panels, totals, strict=True):
        for bars in axes.containers:
            for bar, whole in zip(bars, wholes, strict=True):
                if whole < FEWEST:
                    # Not by alpha: lines of the grid would show through the bar.
                    bar.set_facecolor(1 - 0.35 * (1 - np.array(to_rgb(bar.get_facecolor()))))
    if min(chain(*totals), default=FEWEST) < FEWEST:
        write_note(figure, f"Pale: shares of fewer than {FEWEST}.")


def write_note(figure: Plot, text: str) -> None:
    """Write `text` in small letters across the bottom of `figure`."""
    letters = round(76 * figure.get_figwidth() / COLUMN_WIDTH)
    figure.supxlabel(fill(text, letters), fontsize=6, x=0.02, ha="left")


def overall(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the model `all`, without the total if there is a single combination."""
    rows = rows[rows["model"] == "all"]
    return rows if rows["combination"].nunique() > 2 else rows[rows["combination"] != "all"]


def plot_nothing(why: str) -> Plot:
    """Return a figure that only says why it is empty."""
    figure: Plot = plt.figure(figsize=(COLUMN_WIDTH, 0.6))
    figure.text(0.02, 0.5, fill(why, 66), fontsize=7, va="center")
    return figure


@dataclass(frozen=True, kw_only=True)
class Figure(Declaration):
    """A figure, declared in the `FIGURES` at the end of a module, by its section and name.

    `plot` takes the tables that the figure reads, in their order; if it lists none, the one of its
    name. In the report the figure has the caption of the first table.
    """

    plot: Callable[..., Plot]

    def make(self, *, tables: Sequence[str], empty: str, pdf: Path, png: Path, svg: Path) -> None:
        """Plot the tables, given as CSV, or state why the first of them is empty.

        The files have the same bytes for the same figure. No display is needed.
        """
        rows = [read_table(path) for path in tables]
        mpl.use("Agg")
        look = sns.axes_style("whitegrid") | sns.plotting_context("paper", font_scale=0.8)
        with mpl.rc_context(look | SETTINGS), sns.color_palette("colorblind"):
            figure = plot_nothing(empty) if rows[0].empty else self.plot(*rows)
            figure.savefig(pdf, metadata={"CreationDate": None})
            figure.savefig(png, dpi=300, metadata={"Software": None})
            figure.savefig(svg, metadata={"Date": None})
            plt.close(figure)
