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

    A cell is empty if the relation makes no follow-up of the combination.
    """
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
        _plot_panel(axes, of_panel)
        axes.set_title(f"{model}: {metric}", loc="left")
    image = grid.flat[0].collections[0]
    figure.colorbar(image, ax=grid, format=PercentFormatter(1.0), shrink=0.5, aspect=30)
    return figure


def _plot_panel(axes: Axes, rows: pd.DataFrame) -> None:
    # By their numbers: MR3.1 is 3.1.
    numbers = rows["relation"].str.removeprefix("MR").astype(float).sort_values()
    relations = list(dict.fromkeys(rows["relation"][numbers.index]))
    rates = rows.pivot(index="attributes", columns="relation", values="fault_rate")[relations]
    rates.index = rates.index.str.replace("_", " ").str.replace("+", ", ")
    options = {"cmap": "Reds", "vmin": 0, "vmax": 1, "cbar": False}
    sns.heatmap(rates, xticklabels=True, yticklabels=True, ax=axes, **options)
    axes.tick_params("x", labelsize=6, rotation=90)
    axes.tick_params("y", labelsize=5)
    axes.set(xlabel="", ylabel="")
    axes.grid(visible=False)


FIGURE = Figure(
    title="Faults by combination of attributes",
    reads=("combinations",),
    plot=plot_faults_by_combination,
)
