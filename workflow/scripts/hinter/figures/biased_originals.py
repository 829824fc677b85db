"""Figure 4 of the paper: share of originals with at least one intersectional bias (RQ1)."""

import pandas as pd
from matplotlib.ticker import MaxNLocator, PercentFormatter

from .figure import COLUMN_WIDTH, Figure, Plot, plot_bars, subplots

KINDS = {
    "mutants": {"share": "share", "part": "biased", "whole": "originals"},
    "controls": {"share": "control_share", "part": "control_biased", "whole": "matched"},
}
"""What each bar shows, and the columns of its share and of its counts."""
COLOURS = {"mutants": "C0", "controls": "0.7"}


def plot_biased_originals(shares: pd.DataFrame, accuracy: pd.DataFrame) -> Plot:
    """Plot one bar per model in `shares` (see `tabulate_biased_originals`), with Wilson intervals.

    Each bar has its counts next to it, and each model's name its mean held-out accuracy below it.
    If there are controls, a pale bar below shows the share of originals with a biased control. The
    row of all models is left out, as each may be run on other originals.
    """
    shares = shares[shares["model"] != "all"]
    known = accuracy.groupby("model")["accuracy"].mean().to_dict()
    below = [
        f"\n(accuracy {known[model]:.0%})" if model in known else "" for model in shares["model"]
    ]
    named = shares.assign(name=shares["model"] + below)
    bars = pd.concat(
        named.assign(
            kind=kind,
            **{name: named[column] for name, column in columns.items()},
            **{f"share{end}": named[f"{columns['share']}{end}"] for end in ("_low", "_high")},
        )
        for kind, columns in KINDS.items()
        if columns["share"] in named
    ).dropna(subset="share")
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 0.6 + 0.6 * len(shares)))
    plot_bars(axes, bars, "share", y="name", hue="kind", palette=COLOURS)
    for container, (_, rows) in zip(axes.containers, bars.groupby("kind", sort=False), strict=True):
        for bar, row in zip(container, rows.to_dict("records"), strict=True):
            words = f"  {row['part']:,.0f} of {row['whole']:,.0f}"
            place = bar.get_y() + bar.get_height() / 2
            axes.text(row["share_high"], place, words, va="center", fontsize=7)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    if bars["kind"].nunique() == 1:
        axes.get_legend().remove()
    axes.set(xlim=(0, min(1.0, 1.55 * bars["share_high"].max())))
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("originals with at least one intersectional bias")
    return figure


def plot_published_originals(rows: pd.DataFrame) -> Plot:
    """Plot the published rows of `figure4`, with the printed share under each model's name."""
    printed = rows["model"] + "\n(printed " + rows["printed_percent"] + " %)"
    shares = rows.rename(columns={"count": "biased", "of": "originals"}).assign(model=printed)
    no_accuracy = pd.DataFrame({"model": [], "accuracy": []})
    return plot_biased_originals(shares, no_accuracy)


FIGURES = {
    "rq1/figure4_biased_originals": Figure(
        title="Figure 4: biased originals",
        reads=("figure4_biased_originals", "accuracy"),
        plot=plot_biased_originals,
    ),
    "published/figure4_biased_originals": Figure(
        title="Figure 4: biased originals", plot=plot_published_originals
    ),
}
