"""The scores of all probes and models, with their intervals."""

import pandas as pd
from matplotlib.ticker import PercentFormatter

from ..figure import COLUMN_WIDTH, Drawing, Figure, subplots


def draw_harness(rows: pd.DataFrame) -> Drawing:
    """Draw a dot for each probe and model (see `tabulate_harness`) with its Wilson interval."""
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 0.6 + 0.35 * len(rows)))
    scored = rows[rows["score"].notna()]
    ends = [scored["score"] - scored["score_low"], scored["score_high"] - scored["score"]]
    axes.errorbar(scored["score"], scored.index, xerr=ends, fmt="o", ms=4, capsize=2.5)
    names = [
        f"{scenario}\n{model}, n = {n:,}"
        for scenario, model, n in zip(rows["scenario"], rows["model"], rows["n"], strict=True)
    ]
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("hits")
    return figure


FIGURE = Figure(title="Fairness harness", reads=("harness",), draw=draw_harness)
