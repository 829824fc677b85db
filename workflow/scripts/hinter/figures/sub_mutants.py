"""Mutants and their sub-mutants: verdicts (Figure 9 of the paper), and shifts (RQ4)."""

from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.ticker import MaxNLocator

from ..tables import describe_agreement
from .figure import (
    COLUMN_WIDTH,
    Figure,
    Plot,
    fade_few,
    overall,
    plot_stacked,
    subplots,
    write_note,
)

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
    below = {"loc": "upper center", "bbox_to_anchor": (0.35, 0), "borderaxespad": 2, "ncols": 2}
    axes.legend(handles=axes.containers, **below)
    return list(totals)


PIES = {
    "a) as published": "intersectional_only_as_published",
    "a) corrected": "intersectional_only",
    "b) atomic": "atomic_only",
}
KINDS = {
    "found by one kind of test only": {"color": "C1", "hatch": "///"},
    "by both": {"color": "C0"},
}
"""The parts of a bar, and their style."""
NOTE = (
    "a) biased intersectional mutants without biased sub-mutants; as published, those whose second "
    "one is biased. b) biased atomic mutants that are part of no biased intersectional one. {}"
)


def plot_published_atomic(rows: pd.DataFrame) -> Plot:
    """Plot the published totals of `figure9`, as published and as corrected: a bar for each pie."""
    totals = rows[rows["model"].eq("all") & rows["part"].eq("all")].set_index("quantity")
    bars = totals.loc[list(PIES.values())]
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 2.4))
    share = bars["share"].astype(float)
    shares = pd.DataFrame(dict(zip(KINDS, (share, 1 - share), strict=True)))
    names = [f"{name}\n{of:,}" for name, of in zip(PIES, bars["of"], strict=True)]
    plot_stacked(axes, shares.set_axis(names), looks=KINDS)
    for place, (count, end) in enumerate(zip(bars["count"], bars["share"], strict=True)):
        words = f" {count:,} ({end:.2%})"
        axes.text(end, place, words, va="center", color="white", fontweight="bold")
    figure.legend(loc="outside upper center", ncols=2)
    write_note(figure, NOTE.format(describe_agreement(rows)))
    return figure


ACROSS = 2
"""Panels in a row."""


def plot_interactions(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `tabulate_interaction_cells`, a panel per model.

    On the diagonal, crossing attributes adds nothing. Darker cells have more mutants; circles mark
    cells with hidden bias.
    """
    models = list(rows.groupby("model", sort=False))
    down = ceil(len(models) / ACROSS)
    figure, panels = subplots(
        down, ACROSS, figsize=(COLUMN_WIDTH, 0.5 + 1.75 * down), squeeze=False
    )
    for axes, (model, cells) in zip(panels.flat, models, strict=False):
        _plot_panel(axes, cells)
        axes.set_title(f"{model}\nn = {cells['mutants'].sum():,}", loc="left")
    for axes in panels.flat[len(models) :]:
        axes.axis("off")
    figure.supylabel("shift of the mutants", fontsize=8)
    figure.supxlabel("shift that their sub-mutants predict", fontsize=8)
    return figure


def _plot_panel(axes: Axes, cells: pd.DataFrame) -> None:
    step = float(cells["step"].iloc[0])
    ends = cells[["additive_from", "joint_from"]]
    low = min(0.0, float(ends.to_numpy().min()))
    high = max(0.0, float(ends.to_numpy().max())) + step
    places = ((ends - low) / step).round().astype(int)
    counts = np.full([round((high - low) / step)] * 2, np.nan)
    counts[places["joint_from"], places["additive_from"]] = cells["mutants"]
    norm = LogNorm(vmin=0.5, vmax=max(1, cells["mutants"].max()))
    axes.imshow(counts, origin="lower", extent=(low, high, low, high), cmap="Blues", norm=norm)
    axes.plot([low, high], [low, high], color="0.35", linewidth=0.8)
    hidden = ends[cells["hidden"] > 0] + step / 2
    axes.plot(*hidden.to_numpy().T, "o", mfc="none", mec="C1", ms=3, mew=0.6)
    axes.grid(visible=False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 4, 5, 10]))
    axes.tick_params(labelsize=6)


FIGURES = {
    "rq4/figure9_truth_table": Figure(
        title="Figure 9: mutants and their atomic ones", plot=plot_truth_table
    ),
    "published/figure9_truth_table": Figure(
        title="Figure 9: mutants and their atomic ones", plot=plot_truth_table
    ),
    "published/figure9_atomic_bias": Figure(
        title="Figure 9: bias that only one kind of test finds", plot=plot_published_atomic
    ),
    "rq4/interactions": Figure(
        title="Interactions of attributes", reads=("interaction_cells",), plot=plot_interactions
    ),
}
