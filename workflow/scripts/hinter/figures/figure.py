"""What a figure is: the tables that it reads, and how they are drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

from ..declarations import Declaration
from ..tables import read_table
from .style import SETTINGS, Drawing, draw_nothing


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
