"""Figures 5 and 8 of the paper: grammar scores of originals and of mutants (RQ2, RQ3)."""

from itertools import chain
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from .figure import COLUMN_WIDTH, Figure, Plot, plot_intervals, subplots

TEXTS = {"originals": "0.35", "mutants": "C0"}
"""The texts that are scored, and the colours of their scores."""


def plot_scores(rows: pd.DataFrame, *, label: str, margin: float) -> Plot:
    """Plot a line of dots for each row of the table, named by its column `label`.

    On the left are the scores of originals and mutants, on the right their differences, with a band
    of `margin` points on both sides of 0. All have a 95 % cluster bootstrap by original.
    """
    # Totals come first.
    total = rows[rows["dataset"] == rows["dataset"].iloc[0]]
    total = total.assign(name=total[label] + total["n"].map("\nn = {:,}".format))
    levels = list(total.groupby("level", sort=False))
    heights = [len(group) for _, group in levels]
    figure, panels = subplots(
        len(levels),
        2,
        figsize=(COLUMN_WIDTH, 0.9 + sum(0.2 + 0.27 * height for height in heights)),
        sharex="col",
        sharey="row",
        squeeze=False,
        gridspec_kw={"height_ratios": heights},
    )
    for (level, group), (left, right) in zip(levels, panels, strict=True):
        _plot_level(left, right, group, margin=margin)
        left.set_title(f"{level} mutants", loc="left")
    for axes, title in zip(panels[-1], ("score", "mutants − originals"), strict=True):
        axes.set_xlabel(title)
        axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    entries = [axes.get_legend_handles_labels() for axes in panels[0]]
    handles, names = (list(chain(*parts)) for parts in zip(*entries, strict=True))
    for axes in panels[:, 0]:
        axes.get_legend().remove()
    figure.legend(handles, names, loc="outside upper right", ncols=3)
    return figure


def _plot_level(left: Axes, right: Axes, rows: pd.DataFrame, *, margin: float) -> None:
    ends = ("", "_low", "_high")
    texts = pd.concat(
        rows.assign(text=text, **{f"score{end}": rows[f"score_{text}{end}"] for end in ends})
        for text in TEXTS
    )
    look: dict[str, Any] = {"hue": "text", "palette": TEXTS, "markers": ["s", "o"], "dodge": 0.34}
    plot_intervals(left, texts, "score", y="name", **look)
    right.axvline(0, color="0.35", linewidth=0.8)
    if margin > 0:
        right.axvspan(-margin, margin, color="0.9", zorder=0, label=f"within ±{margin:.2g}")
    plot_intervals(right, rows, "difference", y="name", color=TEXTS["mutants"], legend=False)


def plot_grammar(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_grammar` for the model `all`."""
    rows = rows[rows["model"] == "all"]
    return plot_scores(rows, label="outcome", margin=float(rows["margin"].min()))


FIGURES = {
    "rq2/figure5_grammar": Figure(title="Figure 5: grammar of valid mutants", plot=plot_grammar),
    "rq3/figure8_discarded": Figure(
        title="Figure 8: grammar of discarded mutants",
        plot=lambda rows: plot_scores(rows, label="check", margin=0),
    ),
}
