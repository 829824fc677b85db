"""Figure 7 of the paper: bias among valid and among discarded mutants (RQ3)."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ...tables import describe_false_positives
from ..figure import COLUMN_WIDTH, Drawing, Figure, subplots, write_note

RATES: dict[str, dict[str, Any]] = {
    "valid": {"color": "C0", "fmt": "o"},
    "discarded": {"color": "C1", "fmt": "s"},
}
SHARES: dict[str, dict[str, Any]] = {
    "mutants": {"color": "0.8", "hatch": "////"},
    "biased": {"color": "C1"},
}
"""How the bias rate of each check looks, and the share of discarded ones in each whole."""

INTERVAL = ["bias_rate", "bias_rate_cluster_low", "bias_rate_cluster_high"]


def draw_false_positives(rows: pd.DataFrame) -> Drawing:
    """Draw the rows of `tabulate_false_positives`: by level over all models, then by model.

    On the left are the bias rates with their 95 % cluster bootstrap by original, on the right the
    shares of discarded mutants among the tested and among the biased ones, below a sentence on
    both.
    """
    groups = _groups(rows)
    size = COLUMN_WIDTH, 1.9 + 0.36 * len(groups)
    figure, panels = subplots(1, 2, figsize=size, sharey=True)
    _draw_rates(panels[0], groups)
    _draw_shares(panels[1], groups)
    panels[0].set_yticks(range(len(groups)), list(groups))
    panels[0].set_ylim(len(groups) - 0.5, -0.5)
    for axes, title in zip(panels, ("bias rate", "share of discarded"), strict=True):
        axes.set_title(title, loc="left")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), borderaxespad=3)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
        axes.xaxis.set_major_formatter(PercentFormatter(1))
    panels[0].set_ylabel("biased of tested mutants")
    write_note(figure, describe_false_positives(rows))
    return figure


def _groups(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows that are drawn beside each label, by check."""
    of_all = rows["model"] == "all"
    parts = [("level", rows[of_all])]
    if rows["model"].nunique() > 2:
        parts.append(("model", rows[~of_all & (rows["level"] == "all")]))
    return {
        f"{name}\n{group['biased'].sum():,} of {group['n'].sum():,}": group.set_index("check")
        for key, part in parts
        for name, group in part.groupby(key, sort=False)
    }


def _draw_rates(axes: Axes, groups: dict[str, pd.DataFrame]) -> None:
    for shift, (check, look) in zip((-0.17, 0.17), RATES.items(), strict=True):
        found = [group.reindex(list(RATES)).loc[check, INTERVAL] for group in groups.values()]
        rates, lows, highs = np.array(found, dtype=float).T
        places = np.arange(len(groups)) + shift
        ends = [rates - lows, highs - rates]
        axes.errorbar(rates, places, xerr=ends, ms=3, lw=1, capsize=1.5, label=check, **look)


def _draw_shares(axes: Axes, groups: dict[str, pd.DataFrame]) -> None:
    for shift, (whole, look) in zip((-0.17, 0.17), SHARES.items(), strict=True):
        shares = [group[f"{whole}_share"].get("discarded", 0) for group in groups.values()]
        places = np.arange(len(groups)) + shift
        axes.barh(places, shares, 0.3, label=f"of {whole}", edgecolor="white", **look)


FIGURE = Figure(
    title="Figure 7: bias of discarded mutants",
    reads=("figure7_false_positives",),
    draw=draw_false_positives,
)
