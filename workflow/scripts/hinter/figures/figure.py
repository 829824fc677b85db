"""What a figure is: the tables that it reads, and how they are drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..declarations import Declaration
from ..tables import read_table
from .style import draw_nothing


@dataclass(frozen=True, kw_only=True)
class Figure(Declaration):
    """A figure, declared at the end of the module that is named like its files.

    `draw` takes the tables that the figure reads, in their order, and the files `pdf` and `png`. In
    the report the figure has the caption of the first table.
    """

    draw: Callable[..., None]

    def make(self, *, tables: Sequence[str], empty: str, pdf: Path, png: Path) -> None:
        """Draw the tables, given as CSV, or say why the first of them is empty."""
        rows = [read_table(path) for path in tables]
        if rows[0].empty:
            draw_nothing(empty, pdf=pdf, png=png)
        else:
            self.draw(*rows, pdf=pdf, png=png)
