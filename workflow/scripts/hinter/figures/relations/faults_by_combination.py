"""Figure 4 of the paper on relations: faults by combination of attributes and relation."""

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from ..figure import COLUMN_WIDTH, Figure, Plot, subplots

ROW_HEIGHT, MARGIN = 0.13, 0.9
"""The height of a row, and of the rest of a panel, in inches."""


def plot_faults_by_combination(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_combinations` as a heat map per model and metric.

    All panels have the same relations. A cell is grey if there is no answer to a follow-up.
    """
    # By their numbers: MR3.1 is 3.1.
    relations = sorted(rows["relation"].unique(), key=lambda name: float(name.removeprefix("MR")))
    panels = list(rows.groupby(["model", "metric"], sort=False))
    heights = [of["attributes"].nunique() * ROW_HEIGHT + MARGIN for _, of in panels]
    figure, grid = subplots(
        len(panels),
        1,
        figsize=(2 * COLUMN_WIDTH, sum(heights)),
        height_ratios=heights,
        squeeze=False,
    )
    for axes, ((model, metric), of_panel) in zip(grid.flat, panels, strict=True):
        _plot_panel(axes, of_panel, relations)
        axes.set_title(f"{model}: {metric}", loc="left")
    image = grid.flat[0].collections[0]
    figure.colorbar(image, ax=grid, format=PercentFormatter(1.0), shrink=0.5, aspect=30)
    return figure


def _plot_panel(axes: Axes, rows: pd.DataFrame, relations: list[str]) -> None:
    rates = rows.pivot(index="attributes", columns="relation", values="fault_rate")
    rates = rates.reindex(columns=relations)
    rates.index = rates.index.str.replace("_", " ").str.replace("+", ", ")
    options = {"cmap": "Reds", "vmin": 0, "vmax": 1, "cbar": False}
    sns.heatmap(rates, xticklabels=True, yticklabels=True, ax=axes, **options)
    axes.tick_params("x", labelsize=6, rotation=90)
    axes.tick_params("y", labelsize=5)
    axes.set(xlabel="", ylabel="")
    axes.grid(visible=False)
    axes.set_facecolor("0.85")


FIGURE = Figure(
    title="Faults by combination of attributes",
    reads=("combinations",),
    plot=plot_faults_by_combination,
)
