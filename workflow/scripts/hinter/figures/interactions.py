"""The shifts of mutants against what their sub-mutants predict (RQ4)."""

from math import ceil

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.ticker import MaxNLocator

from .figure import COLUMN_WIDTH, Figure, Plot, subplots

ACROSS = 2
"""Panels in a row."""


def plot_interactions(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_interaction_cells`, a panel per model.

    On the diagonal, crossing attributes adds nothing. Darker cells have more mutants; circles mark
    cells with hidden bias.
    """
    models = list(rows.groupby("model", sort=False))
    down = ceil(len(models) / ACROSS)
    figure, panels = subplots(
        down, ACROSS, figsize=(COLUMN_WIDTH, 0.5 + 1.75 * down), squeeze=False
    )
    for axes, (model, cells) in zip(panels.flat, models, strict=False):
        _plot_panel(axes, cells)
        axes.set_title(f"{model}\nn = {cells['mutants'].sum():,}", loc="left")
    for axes in panels.flat[len(models) :]:
        axes.axis("off")
    figure.supylabel("shift of the mutants", fontsize=8)
    figure.supxlabel("shift that their sub-mutants predict", fontsize=8)
    return figure


def _plot_panel(axes: Axes, cells: pd.DataFrame) -> None:
    step = float(cells["step"].iloc[0])
    ends = cells[["additive_from", "joint_from"]]
    low = min(0.0, float(ends.to_numpy().min()))
    high = max(0.0, float(ends.to_numpy().max())) + step
    places = ((ends - low) / step).round().astype(int)
    counts = np.full([round((high - low) / step)] * 2, np.nan)
    counts[places["joint_from"], places["additive_from"]] = cells["mutants"]
    norm = LogNorm(vmin=0.5, vmax=max(1, cells["mutants"].max()))
    axes.imshow(counts, origin="lower", extent=(low, high, low, high), cmap="Blues", norm=norm)
    axes.plot([low, high], [low, high], color="0.35", linewidth=0.8)
    hidden = ends[cells["hidden"] > 0] + step / 2
    axes.plot(*hidden.to_numpy().T, "o", mfc="none", mec="C1", ms=3, mew=0.6)
    axes.grid(visible=False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 4, 5, 10]))
    axes.tick_params(labelsize=6)


FIGURES = {
    "rq4/interactions": Figure(
        title="Interactions of attributes", reads=("interaction_cells",), plot=plot_interactions
    )
}
