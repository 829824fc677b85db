"""What a figure is: the tables that it draws, and how."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..declarations import Declaration
from ..tables import read_table
from .style import draw_nothing


@dataclass(frozen=True, kw_only=True)
class Figure(Declaration):
    """A figure, at the end of the module that is named like its files.

    `draw` is given the tables that it reads, in their order, and the files `pdf` and `png`. In the
    report it has the caption of the first of them.
    """

    draw: Callable[..., None]

    def make(self, *, tables: Sequence[str], empty: str, pdf: Path, png: Path) -> None:
        """Draw the tables, given as CSV, or say why the first of them is empty."""
        rows = [read_table(path) for path in tables]
        if rows[0].empty:
            draw_nothing(empty, pdf=pdf, png=png)
        else:
            self.draw(*rows, pdf=pdf, png=png)
