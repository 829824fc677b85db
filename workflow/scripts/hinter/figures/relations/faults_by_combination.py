"""Figure 4 of the paper on relations: faults by combination of attributes and relation."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.ticker import PercentFormatter

from ..figure import COLUMN_WIDTH, Drawing, Figure, subplots

ROW_HEIGHT, MARGIN = 0.13, 0.9
"""Of a panel, in inches."""


def draw_faults_by_combination(rows: pd.DataFrame) -> Drawing:
    """Draw the rows of `tabulate_combinations` as a heat map per model and metric.

    Where a relation makes no follow-up of a combination, its cell is empty.
    """
    panels = list(rows.groupby(["model", "metric"], sort=False))
    heights = [of["attributes"].nunique() * ROW_HEIGHT + MARGIN for _, of in panels]
    figure, drawn = subplots(
        len(panels),
        1,
        figsize=(2 * COLUMN_WIDTH, sum(heights)),
        height_ratios=heights,
        squeeze=False,
    )
    for axes, ((model, metric), of_panel) in zip(drawn.flat, panels, strict=True):
        image = _draw_panel(axes, of_panel)
        axes.set_title(f"{model}: {metric}", loc="left")
    figure.colorbar(image, ax=drawn, format=PercentFormatter(1.0), shrink=0.5, aspect=30)
    return figure


def _draw_panel(axes: Axes, rows: pd.DataFrame) -> AxesImage:
    # By their numbers: MR3.1 is 3.1.
    numbers = rows["relation"].str.removeprefix("MR").astype(float).sort_values()
    relations = list(dict.fromkeys(rows["relation"][numbers.index]))
    rates = rows.pivot(index="attributes", columns="relation", values="fault_rate")[relations]
    image = axes.imshow(rates.to_numpy(), cmap="Reds", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(relations)), relations, rotation=90, fontsize=6)
    names = [name.replace("_", " ").replace("+", ", ") for name in rates.index]
    axes.set_yticks(range(len(names)), names, fontsize=5)
    axes.grid(visible=False)
    return image


FIGURE = Figure(
    title="Faults by combination of attributes",
    reads=("combinations",),
    draw=draw_faults_by_combination,
)
