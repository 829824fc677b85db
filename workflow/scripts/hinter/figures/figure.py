"""What a figure is: the tables that it reads, and how they are drawn, all in one look.

Figures are readable in one column of print and without colour vision.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure as Drawing
from matplotlib.rcsetup import cycler

from ..declarations import Declaration
from ..tables import read_table

COLUMN_WIDTH = 3.4
"""Width of one printed column, in inches."""

# Colours that stay apart without colour vision: those of Okabe and Ito (2008), with brown, pink
# and grey in the middle.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7"]
COLOURS += ["#a6761d", "#fbafe4", "#949494", "#f0e442", "#56b4e9"]
SETTINGS = {
    "axes.grid.axis": "x",
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.titlesize": 8,
    "figure.constrained_layout.use": True,
    "font.size": 7.5,
    "legend.fontsize": 7,
    "lines.linewidth": 1.2,
    "pdf.fonttype": 42,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
}


def subplots(*shape: int, **options: Any) -> tuple[Drawing, Any]:
    """Return a figure with its panel or panels, as matplotlib's function of this name does."""
    drawn: tuple[Drawing, Any] = plt.subplots(*shape, **options)
    return drawn


def write_note(figure: Drawing, text: str) -> None:
    """Write `text` in small letters across the bottom of `figure`."""
    letters = round(76 * figure.get_figwidth() / COLUMN_WIDTH)
    figure.supxlabel(fill(text, letters), fontsize=6, x=0.02, ha="left")


def overall(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the model `all`, without the total where there is a single combination."""
    rows = rows[rows["model"] == "all"]
    return rows if rows["combination"].nunique() > 2 else rows[rows["combination"] != "all"]


def draw_nothing(why: str) -> Drawing:
    """Return a figure that only says why it is empty."""
    figure: Drawing = plt.figure(figsize=(COLUMN_WIDTH, 0.6))
    figure.text(0.02, 0.5, fill(why, 66), fontsize=7, va="center")
    return figure


@dataclass(frozen=True, kw_only=True)
class Figure(Declaration):
    """A figure, declared at the end of the module that is named like its files.

    `draw` takes the tables that the figure reads, in their order. In the report the figure has the
    caption of the first table.
    """

    draw: Callable[..., Drawing]

    def make(self, *, tables: Sequence[str], empty: str, pdf: Path, png: Path) -> None:
        """Draw the tables, given as CSV, or say why the first of them is empty.

        The files have the same bytes for the same figure. No display is needed.
        """
        rows = [read_table(path) for path in tables]
        mpl.use("Agg")
        with plt.style.context(["seaborn-v0_8-whitegrid", SETTINGS]):
            figure = draw_nothing(empty) if rows[0].empty else self.draw(*rows)
            figure.savefig(pdf, metadata={"CreationDate": None})
            figure.savefig(png, dpi=300, metadata={"Software": None})
            plt.close(figure)
