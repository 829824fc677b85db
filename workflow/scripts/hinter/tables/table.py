"""What a table is: what it reads, how it is computed and shown, and what it says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ..declarations import Declaration
from .sources import read_input
from .writing import NONE, TableFiles, write_table

NONE_NOTE = f"A dash ({NONE}) stands where there is no number, or too little to count for one."

Given = Mapping[str, Any]
"""What a table is computed from: its inputs by name, its settings by the last part of theirs."""


@dataclass(frozen=True, kw_only=True)
class Table(Declaration):
    """A table, declared at the end of the module that is named like its files.

    `compute` takes what the table reads and its settings, as keywords, and returns the rows;
    `columns` gives each of their columns a meaning and unit. `show` makes the rows readable.
    """

    columns: Mapping[str, str]
    compute: Callable[..., pd.DataFrame]
    show: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows
    finding: Callable[[pd.DataFrame, Given], str] | None = None
    """Return what the rows show, in sentences that end the caption."""
    notes: Callable[[Given], Sequence[str]] | None = None
    """Return further lines to put below the table."""
    latex_columns: str | None = None
    marked: str | None = None
    """The column that holds marks (see `write_table`)."""

    def make(
        self,
        *,
        inputs: Mapping[str, Sequence[str] | str],
        settings: Mapping[str, Any],
        files: TableFiles,
    ) -> None:
        """Compute and write the table from the files of its inputs by name."""
        told = pd.read_csv(str(inputs["warnings"]))["told"] if self.warned else ()
        given = {name: read_input(name, inputs[name]) for name in self.reads}
        given |= {name.rpartition(".")[2]: value for name, value in settings.items()}
        rows = self.compute(**given)
        shown = self.show(rows)
        dashes = [NONE_NOTE] if self.warned and shown.isin([NONE]).any(axis=None) else []
        findings = [self.finding(rows, given)] if self.finding else []
        write_table(
            rows,
            shown,
            files,
            caption=" ".join([self.caption.format(**given), *findings]),
            notes=[
                *(self.notes(given) if self.notes else ()),
                *dashes,
                *(f"Warning: {warning}" for warning in told),
            ],
            empty=self.empty,
            latex_columns=self.latex_columns,
            marked=self.marked,
        )
