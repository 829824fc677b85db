"""Figure 4 of the paper: share of originals with at least one intersectional bias (RQ1)."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ..figure import Figure
from ..style import COLUMN_WIDTH, save, style


def draw_biased_originals(
    shares: pd.DataFrame, accuracy: pd.DataFrame, *, pdf: Path, png: Path
) -> None:
    """Draw one bar per row of `shares` (see `tabulate_biased_originals`) with its Wilson interval.

    Each bar has its counts beside it, and each model's name its mean held-out accuracy below it.
    """
    known = accuracy.groupby("model")["accuracy"].mean().to_dict()
    labels = [
        f"{model}\n(accuracy {known[model]:.0%})" if model in known else model
        for model in shares["model"]
    ]
    with style():
        figure, axes = plt.subplots(figsize=(COLUMN_WIDTH, 0.6 + 0.45 * len(shares)))
        errors = [shares["share"] - shares["share_low"], shares["share_high"] - shares["share"]]
        axes.barh(labels, shares["share"], xerr=errors, ecolor="0.3", capsize=2.5)
        for position, row in enumerate(shares.itertuples()):
            axes.text(
                row.share_high,
                position,
                f"  {row.biased:,} of {row.originals:,}",
                va="center",
                fontsize=7,
            )
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
        axes.set_xlim(0, min(1.0, 1.55 * shares["share_high"].max()))
        axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        axes.set_xlabel("originals with at least one intersectional bias")
        save(figure, pdf=pdf, png=png)


FIGURE = Figure(
    question="RQ1",
    title="Figure 4: biased originals",
    reads=("figure4_biased_originals", "accuracy"),
    draw=draw_biased_originals,
)
