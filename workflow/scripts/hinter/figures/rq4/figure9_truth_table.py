"""Figure 9 of the paper: intersectional bias with and without atomic bias (RQ4)."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from ..figure import COLUMN_WIDTH, Figure, Plot, fade_few, overall, plot_stacked, subplots

Cell = tuple[bool, bool, bool]
Parts = dict[str, tuple[list[Cell], dict[str, Any]]]

BIASED: Parts = {
    "no atomic bias (hidden)": ([(True, False, False)], {"color": "C1", "hatch": "///"}),
    "first biased": ([(True, True, False)], {"color": "C0"}),
    "both biased": ([(True, True, True)], {"color": "C7"}),
    "second biased": ([(True, False, True)], {"color": "C9", "hatch": "..."}),
}
"""The biased mutants, divided by which atomic sub-mutants are biased, and how each part looks."""

BELOW = [(True, True), (True, False), (False, True)]
BIASED_BELOW: Parts = {
    "biased as well": ([(True, *below) for below in BELOW], {"color": "C0"}),
    "benign (masked)": ([(False, *below) for below in BELOW], {"color": "C8", "hatch": "xxx"}),
}
"""The mutants with a biased atomic sub-mutant, divided by whether they are also biased."""

PANELS = {"a) biased mutants": BIASED, "b) mutants with atomic bias": BIASED_BELOW}


def plot_truth_table(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_truth_table` for the model `all`, a bar per combination.

    The columns combination, model, those of the cell (intersectional, first, second) and mutants
    are used. The upper panel has the biased mutants, the lower one those with a biased atomic
    sub-mutant; each bar's label gives their number.
    """
    keys = ["combination", "intersectional", "first", "second"]
    cells = overall(rows).set_index(keys)["mutants"].unstack(keys[1:], sort=False)
    every = pd.MultiIndex.from_product([[True, False]] * 3)
    cells = cells.reindex(columns=every, fill_value=0)
    size = COLUMN_WIDTH, 2.0 + 0.56 * len(cells)
    figure, panels = subplots(2, 1, figsize=size)
    totals = [
        _plot_bars(axes, cells, parts) for axes, parts in zip(panels, PANELS.values(), strict=True)
    ]
    fade_few(figure, panels, totals)
    for axes, title in zip(panels, PANELS, strict=True):
        axes.set_title(title, loc="left")
    return figure


def _plot_bars(axes: Axes, cells: pd.DataFrame, parts: Parts) -> list[int]:
    """Plot a bar for each row, and return what each is a share of."""
    found = pd.DataFrame({label: cells[inside].sum(axis=1) for label, (inside, _) in parts.items()})
    totals = found.sum(axis=1)
    shares = found.div(totals, axis=0).fillna(0)
    names = [f"{name}\nn = {total:,.0f}" for name, total in totals.items()]
    plot_stacked(
        axes, shares.set_axis(names), looks={name: look for name, (_, look) in parts.items()}
    )
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    below = {"loc": "upper center", "bbox_to_anchor": (0.35, 0), "borderaxespad": 2, "ncols": 2}
    axes.legend(handles=axes.containers, **below)
    return list(totals)


FIGURE = Figure(
    title="Figure 9: mutants and their atomic ones",
    reads=("figure9_truth_table",),
    plot=plot_truth_table,
)
