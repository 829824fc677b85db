"""Figure 7 of the paper from its published counts: bias among valid and discarded mutants (RQ3)."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter, MaxNLocator, PercentFormatter

from ...tables import describe_agreement
from ..figure import COLUMN_WIDTH, Figure, Plot, subplots, write_note
from ..rq3.figure7_false_positives import RATES

LEVELS = ("all", "intersectional", "atomic")


def plot_published_false_positives(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `figure7` over all encoders: on the left biased mutants, on the right rates.

    The paper plots only the numbers, which mostly reflect how many mutants were run.
    """
    rows_of_all = rows[rows["model"] == "all"].set_index(["quantity", "part"])
    figure, panels = subplots(1, 2, figsize=(COLUMN_WIDTH, 2.6), sharey=True)
    _plot_counts(panels[0], rows_of_all["count"])
    _plot_rates(panels[1], rows_of_all["share"])
    biased = rows_of_all["of"]["valid_biased"]
    panels[0].set_yticks(range(len(LEVELS)), [f"{level}\n{biased[level]:,}" for level in LEVELS])
    panels[0].set_ylim(len(LEVELS) - 0.5, -0.5)
    for axes, title in zip(panels, ("biased mutants", "bias rate"), strict=True):
        axes.set_title(title, loc="left")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), borderaxespad=3)
    write_note(figure, describe_agreement(rows))
    return figure


def _plot_counts(axes: Axes, counts: "pd.Series[int]") -> None:
    for shift, (check, look) in zip((-0.19, 0.19), RATES.items(), strict=True):
        found = [counts[f"{check}_biased", level] for level in LEVELS]
        places = [place + shift for place in range(len(LEVELS))]
        hatch = "" if check == "valid" else "///"
        axes.barh(
            places, found, 0.36, color=look["color"], hatch=hatch, edgecolor="white", label=check
        )
        for place, count in zip(places, found, strict=True):
            axes.text(count, place, f" {count / 1e6:.2f}M", va="center", fontsize=6)
    axes.set_xlim(0, 1.6 * max(counts["discarded_biased", level] for level in LEVELS))
    axes.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))


def _plot_rates(axes: Axes, shares: "pd.Series[float]") -> None:
    for shift, (check, look) in zip((-0.19, 0.19), RATES.items(), strict=True):
        found = [shares[f"{check}_bias_rate", level] for level in LEVELS]
        places = [place + shift for place in range(len(LEVELS))]
        axes.plot(found, places, look["fmt"], color=look["color"], ms=4, label=check)
        for place, rate in zip(places, found, strict=True):
            axes.text(rate, place, f"  {rate:.2%}", va="center", fontsize=6)
    axes.set_xlim(0, 1.7 * max(shares["valid_bias_rate", level] for level in LEVELS))
    axes.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))


FIGURE = Figure(
    title="Figure 7: bias of discarded mutants",
    reads=("figure7_false_positives",),
    plot=plot_published_false_positives,
)
