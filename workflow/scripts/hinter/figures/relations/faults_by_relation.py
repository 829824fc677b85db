"""Figures 2 and 3 of the paper on relations: faults that each relation reveals, by metric."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from ..figure import COLUMN_WIDTH, Drawing, Figure, subplots


def draw_faults_by_relation(rows: pd.DataFrame) -> Drawing:
    """Draw the rows of `tabulate_faults`, a panel per model, with intervals by source.

    The paper counts faults; here they are shares of follow-ups, whose number differs by relation.
    """
    models = list(rows.groupby("model", sort=False))
    figure, panels = subplots(
        len(models), 1, figsize=(COLUMN_WIDTH, 0.4 + 1.9 * len(models)), squeeze=False
    )
    for axes, (model, of_model) in zip(panels.flat, models, strict=True):
        _draw_panel(axes, of_model)
        axes.set_title(model, loc="left")
    panels.flat[0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    figure.supylabel("follow-ups with a fault", fontsize=8)
    return figure


def _draw_panel(axes: Axes, rows: pd.DataFrame) -> None:
    relations = list(dict.fromkeys(rows["relation"]))
    metrics = list(rows.groupby("metric"))
    for number, (metric, of_metric) in enumerate(metrics):
        rate, low, high = (of_metric[f"fault_rate{end}"] for end in ("", *_ENDS))
        beside = (number - (len(metrics) - 1) / 2) * 0.25
        places = [relations.index(name) + beside for name in of_metric["relation"]]
        # A bootstrap of many sources may leave its own rate out by a rounding.
        errors = [(rate - low).clip(lower=0), (high - rate).clip(lower=0)]
        axes.errorbar(places, rate, yerr=errors, fmt="o", ms=2.5, lw=0.8, label=metric)
    axes.set_xticks(range(len(relations)), relations, rotation=90)
    axes.grid(visible=False, axis="x")
    axes.grid(axis="y")
    # All relations keep their place, and points at an end are whole.
    axes.set_xlim(-0.6, len(relations) - 0.4)
    axes.set_ylim(-0.03, 1.03)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))


_ENDS = ("_cluster_low", "_cluster_high")

FIGURE = Figure(title="Faults by relation", reads=("faults",), draw=draw_faults_by_relation)
