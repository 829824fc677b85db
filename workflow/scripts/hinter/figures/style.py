"""The one look of all figures: readable in one column of print and without colour vision."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import fill

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

COLUMN_WIDTH = 3.4
"""Width of one printed column, in inches."""


@contextmanager
def style() -> Iterator[None]:
    """Draw with the study's fonts, grid and colour-blind safe palette; needs no display."""
    mpl.use("Agg")
    settings = {"pdf.fonttype": 42, "figure.constrained_layout.use": True, "axes.titlesize": 8}
    with (
        sns.axes_style("whitegrid"),
        sns.plotting_context("paper", font_scale=0.8),
        sns.color_palette("colorblind"),
        mpl.rc_context(settings),
    ):
        yield


def write_note(figure: Figure, text: str) -> None:
    """Write `text` in small letters across the bottom of `figure`."""
    figure.supxlabel(fill(text, 76), fontsize=6, x=0.02, ha="left")


def overall(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the model `all`, without the total where there is a single combination."""
    rows = rows[rows["model"] == "all"]
    return rows if rows["combination"].nunique() > 2 else rows[rows["combination"] != "all"]


def draw_nothing(why: str, *, pdf: Path, png: Path) -> None:
    """Write a figure that only says why it is empty."""
    with style():
        figure = plt.figure(figsize=(COLUMN_WIDTH, 0.6))
        figure.text(0.02, 0.5, fill(why, 66), fontsize=7, va="center")
        save(figure, pdf=pdf, png=png)


def save(figure: Figure, *, pdf: Path, png: Path) -> None:
    """Write `figure` to both files, the same bytes for the same figure, and close it."""
    figure.savefig(pdf, metadata={"CreationDate": None})
    figure.savefig(png, dpi=300, metadata={"Software": None})
    plt.close(figure)
