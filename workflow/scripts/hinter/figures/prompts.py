"""Figures on prompts: hits of probes, and faults by relation and by combination of attributes."""

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from .figure import COLUMN_WIDTH, Figure, Plot, plot_intervals, subplots

ROW_HEIGHT, MARGIN = 0.13, 0.9
"""The height of a row of the heat map, and of the rest of a panel, in inches."""


def plot_harness(rows: pd.DataFrame) -> Plot:
    """Plot a dot for each probe and model (see `tabulate_harness`) with its Wilson interval."""
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 0.6 + 0.35 * len(rows)))
    names = rows["scenario"] + "\n" + rows["model"] + rows["n"].map(", n = {:,}".format)
    plot_intervals(axes, rows.assign(name=names), "score", y="name")
    axes.set(xlim=(-0.02, 1.02), xlabel="hits")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    return figure


def plot_faults_by_relation(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_faults`, a panel per model, with intervals by source.

    Figures 2 and 3 of the paper on relations plot counts; here they are shares of the follow-ups,
    whose number differs by relation.
    """
    models = list(rows.groupby("model", sort=False))
    figure, panels = subplots(
        len(models), 1, figsize=(COLUMN_WIDTH, 0.4 + 1.9 * len(models)), squeeze=False
    )
    for axes, (model, of_model) in zip(panels.flat, models, strict=True):
        _plot_metrics(axes, of_model)
        axes.set_title(model, loc="left")
        if axes is not panels.flat[0]:
            axes.get_legend().remove()
    panels.flat[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    figure.supylabel("follow-ups with a fault", fontsize=8)
    return figure


def _plot_metrics(axes: Axes, rows: pd.DataFrame) -> None:
    dodge = 0.25 if rows["metric"].nunique() > 1 else False
    look = {"hue": "metric", "dodge": dodge, "markersize": 2.5, "capsize": 0}
    plot_intervals(axes, rows, "fault_rate", ends="_cluster", x="relation", y="shown", **look)
    axes.tick_params("x", rotation=90)
    axes.grid(visible=False, axis="x")
    axes.grid(axis="y")
    # Points at an end are whole.
    axes.set_ylim(-0.03, 1.03)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))


def plot_faults_by_combination(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_combinations` as a heat map per model and metric.

    This is Figure 4 of the paper on relations. All panels have the same relations. A cell is grey
    if there is no answer to a follow-up.
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
        _plot_cells(axes, of_panel, relations)
        axes.set_title(f"{model}: {metric}", loc="left")
    image = grid.flat[0].collections[0]
    figure.colorbar(image, ax=grid, format=PercentFormatter(1.0), shrink=0.5, aspect=30)
    return figure


def _plot_cells(axes: Axes, rows: pd.DataFrame, relations: list[str]) -> None:
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


FIGURES = {
    "probes/harness": Figure(title="Fairness harness", plot=plot_harness),
    "relations/faults_by_relation": Figure(
        title="Faults by relation", reads=("faults",), plot=plot_faults_by_relation
    ),
    "relations/faults_by_combination": Figure(
        title="Faults by combination of attributes",
        reads=("combinations",),
        plot=plot_faults_by_combination,
    ),
}
