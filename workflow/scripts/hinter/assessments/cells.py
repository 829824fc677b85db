"""The cells of a CSV row, with checks of their values."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ..errors import InputError
from ..lines import check_columns

Value = TypeVar("Value")
MOST_DIGITS = 18


class Cells:
    """A row of a CSV file; `location` names file and line.

    Raises `InputError` if one of the `columns` is missing.
    """

    def __init__(self, location: str, row: Mapping[str, Any], *, columns: Sequence[str]) -> None:
        self._location, self._row = location, row
        check_columns(row, columns=columns, location=location, fix="Add it to the file.")

    def __getitem__(self, column: str) -> str:
        """Return the cell unchanged."""
        return str(self._row[column])

    def choose(self, column: str, among: Mapping[str, Value]) -> Value:
        """Return the value of the cell's text in `among`; raise `InputError` if it has none."""
        if self[column] not in among:
            raise self.error(column, expected=" or ".join(among))
        return among[self[column]]

    def count(self, column: str) -> int:
        """Return a whole number above 0; raise `InputError` for anything else."""
        cell = self[column]
        if not (cell.isascii() and cell.isdigit() and len(cell) <= MOST_DIGITS and int(cell)):
            raise self.error(column, expected="a whole number above 0")
        return int(cell)

    def error(self, column: str, *, expected: str, fix: str = "Correct the cell.") -> InputError:
        """Return the error with the content of the cell and what was expected."""
        return InputError(
            where=f"{self._location}, column '{column}'",
            found=f"'{self[column]:.200}'",
            expected=expected,
            fix=fix,
        )
