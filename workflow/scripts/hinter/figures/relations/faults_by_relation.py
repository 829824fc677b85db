"""Figures 2 and 3 of the paper on relations: faults that each relation reveals, by metric."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from ..figure import COLUMN_WIDTH, Figure, Plot, plot_intervals, subplots


def plot_faults_by_relation(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_faults`, a panel per model, with intervals by source.

    The paper plots counts; here they are shares of the follow-ups, whose number differs by
    relation.
    """
    models = list(rows.groupby("model", sort=False))
    figure, panels = subplots(
        len(models), 1, figsize=(COLUMN_WIDTH, 0.4 + 1.9 * len(models)), squeeze=False
    )
    for axes, (model, of_model) in zip(panels.flat, models, strict=True):
        _plot_panel(axes, of_model)
        axes.set_title(model, loc="left")
        if axes is not panels.flat[0]:
            axes.get_legend().remove()
    panels.flat[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    figure.supylabel("follow-ups with a fault", fontsize=8)
    return figure


def _plot_panel(axes: Axes, rows: pd.DataFrame) -> None:
    dodge = 0.25 if rows["metric"].nunique() > 1 else False
    look = {"hue": "metric", "dodge": dodge, "markersize": 2.5, "capsize": 0}
    plot_intervals(axes, rows, "fault_rate", ends="_cluster", x="relation", y="shown", **look)
    axes.tick_params("x", rotation=90)
    axes.grid(visible=False, axis="x")
    axes.grid(axis="y")
    # Points at an end are whole.
    axes.set_ylim(-0.03, 1.03)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))


FIGURE = Figure(title="Faults by relation", reads=("faults",), plot=plot_faults_by_relation)
