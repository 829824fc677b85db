"""The scores of all probes and models, with their intervals."""

import pandas as pd
from matplotlib.ticker import PercentFormatter

from .figure import COLUMN_WIDTH, Figure, Plot, plot_intervals, subplots


def plot_harness(rows: pd.DataFrame) -> Plot:
    """Plot a dot for each probe and model (see `tabulate_harness`) with its Wilson interval."""
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 0.6 + 0.35 * len(rows)))
    names = rows["scenario"] + "\n" + rows["model"] + rows["n"].map(", n = {:,}".format)
    plot_intervals(axes, rows.assign(name=names), "score", y="name")
    axes.set(xlim=(-0.02, 1.02), xlabel="hits")
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    return figure


FIGURES = {
    "probes/harness": Figure(title="Fairness harness", reads=("harness",), plot=plot_harness)
}
