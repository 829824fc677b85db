"""The one look of all figures: readable in one column of print and without colour vision."""

from textwrap import fill

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure as Drawing
from matplotlib.rcsetup import cycler

COLUMN_WIDTH = 3.4
"""Width of one printed column, in inches."""

# Colours that stay apart without colour vision: those of Okabe and Ito (2008), with brown, pink
# and grey in the middle.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7"]
COLOURS += ["#a6761d", "#fbafe4", "#949494", "#f0e442", "#56b4e9"]
SETTINGS = {
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
    figure = plt.figure(figsize=(COLUMN_WIDTH, 0.6))
    figure.text(0.02, 0.5, fill(why, 66), fontsize=7, va="center")
    return figure
