"""Figure 4 of the paper: share of originals with at least one intersectional bias (RQ1)."""

from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from ..figure import COLUMN_WIDTH, Drawing, Figure, subplots


class Bars(NamedTuple):
    """Bars of one kind: their share and its counts, as columns, their colour and their label."""

    share: str
    part: str
    whole: str
    colour: str
    label: str


def draw_biased_originals(shares: pd.DataFrame, accuracy: pd.DataFrame) -> Drawing:
    """Draw one bar per row of `shares` (see `tabulate_biased_originals`) with its Wilson interval.

    Each bar has its counts beside it, and each model's name its mean held-out accuracy below it.
    Where there are controls, a pale bar below shows the share of originals with a biased one.
    """
    known = accuracy.groupby("model")["accuracy"].mean().to_dict()
    labels = [
        f"{model}\n(accuracy {known[model]:.0%})" if model in known else model
        for model in shares["model"]
    ]
    figure, axes = subplots(figsize=(COLUMN_WIDTH, 0.6 + 0.6 * len(shares)))
    with_controls = "matched" in shares and shares["matched"].notna().any()
    bars = [Bars("share", "biased", "originals", "C0", "mutants")]
    if with_controls:
        bars.append(Bars("control_share", "control_biased", "matched", "0.7", "controls"))
    for number, kind in enumerate(bars):
        _draw_bars(axes, shares, kind, number=number, of=len(bars))
    axes.set_yticks(range(len(shares)), labels)
    if with_controls:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(bars))
    axes.invert_yaxis()
    ends = shares[[f"{kind.share}_high" for kind in bars]]
    axes.set_xlim(0, min(1.0, 1.55 * ends.to_numpy(float).max()))
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("originals with at least one intersectional bias")
    return figure


def _draw_bars(axes: Axes, shares: pd.DataFrame, kind: Bars, *, number: int, of: int) -> None:
    """Draw one bar per row, below those of `number` other kinds of the same rows."""
    height = 0.8 / of
    drawn = shares[shares[kind.share].notna()]
    places = [place + (number - (of - 1) / 2) * height for place in drawn.index]
    share, low, high = (drawn[f"{kind.share}{end}"] for end in ("", "_low", "_high"))
    axes.barh(
        places,
        share,
        height,
        xerr=[share - low, high - share],
        color=kind.colour,
        label=kind.label,
        ecolor="0.3",
        capsize=2.5,
    )
    for place, end, part, whole in zip(
        places, high, drawn[kind.part], drawn[kind.whole], strict=True
    ):
        axes.text(end, place, f"  {part:,} of {whole:,}", va="center", fontsize=7)


FIGURE = Figure(
    title="Figure 4: biased originals",
    reads=("figure4_biased_originals", "accuracy"),
    draw=draw_biased_originals,
)
