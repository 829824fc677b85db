"""The counts that the paper's authors published, and other tables that come with the study."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ...corpora import read_rows
from ...errors import InputError
from ...lines import check_columns

FIX = "Restore the file that came with the study."


class Kind(NamedTuple):
    """The format of a column's cells, as a pattern and in words."""

    pattern: re.Pattern[str]
    meaning: str


WORDS = Kind(re.compile(".*", re.DOTALL), "text")
TRUTH = Kind(re.compile("True|False"), "True or False")
# A number with more digits may not fit into 64 bits.
COUNT = Kind(re.compile("[0-9]{1,18}"), "a whole number of at least 0")
KNOWN_COUNT = Kind(re.compile("([0-9]{1,18})?"), "a whole number of at least 0, or nothing")
KNOWN_POINTS = Kind(re.compile(r"([0-9]{1,3}(\.[0-9]+)?)?"), "a number of points, or nothing")
RATE = Kind(re.compile(r"0(\.[0-9]+)?|1(\.0+)?"), "a number from 0 to 1")


def check_table(path: Path, *, columns: Mapping[str, Kind]) -> None:
    """Raise `InputError` unless the CSV file `path` has rows with these columns."""
    rows = 0
    if path.is_file():
        for location, row in read_rows(path):
            rows += 1
            _check_row(row, columns=columns, location=location)
    if not rows:
        raise InputError(
            where=str(path),
            found="no row" if path.is_file() else "no such file",
            expected=f"a table with the columns {', '.join(columns)}",
            fix=FIX,
        )


def _check_row(row: Mapping[str, Any], *, columns: Mapping[str, Kind], location: str) -> None:
    check_columns(row, columns=columns, location=location, fix=FIX)
    for column, kind in columns.items():
        if not kind.pattern.fullmatch(row[column]):
            raise InputError(
                where=f"{location}, column '{column}'",
                found=f"{row[column]!r:.60}",
                expected=kind.meaning,
                fix=FIX,
            )


ALL = "all"
"""The value of a key that a total sums over."""


def _columns(kind: Kind, *names: str) -> dict[str, Kind]:
    return dict.fromkeys(names, kind)


@dataclass(frozen=True)
class Published:
    """The files of data/published, each under its name; the README there describes them.

    The metadata of a field are the columns that its file must have, and what they contain.
    """

    bias_rates: pd.DataFrame = field(
        metadata=_columns(WORDS, "model", "dataset")
        | _columns(COUNT, "tested", "biased", "looked_up", "hidden")
    )
    originals: pd.DataFrame = field(
        metadata=_columns(WORDS, "model", "dataset")
        | _columns(KNOWN_COUNT, "originals")
        | _columns(COUNT, "biased")
    )
    encoder_mutants: pd.DataFrame = field(
        metadata=_columns(WORDS, "model", "level", "dataset")
        | _columns(COUNT, "valid", "valid_biased", "discarded", "discarded_biased")
    )
    prompted_mutants: pd.DataFrame = field(
        metadata=_columns(WORDS, "attributes", "dataset")
        | _columns(COUNT, "valid", "discarded_early")
    )
    prompted_tests: pd.DataFrame = field(
        metadata=_columns(WORDS, "model", "attributes")
        | _columns(COUNT, "loaded", "identical", "tested", "biased")
    )
    truth_table: pd.DataFrame = field(
        metadata=_columns(WORDS, "combination", "model")
        | _columns(TRUTH, "intersectional", "first", "second")
        | _columns(COUNT, "mutants")
    )
    unique_mutants: pd.DataFrame = field(
        metadata=_columns(WORDS, "quantity") | _columns(COUNT, "mutants")
    )
    exposure: pd.DataFrame = field(
        metadata=_columns(WORDS, "combination")
        | _columns(TRUTH, "first", "second", "intersectional")
        | _columns(COUNT, "originals")
    )
    printed: pd.DataFrame = field(
        metadata=_columns(WORDS, "quantity", "model", "part", "exhibit", "count", "of", "percent")
    )
    table1: pd.DataFrame = field(
        metadata=_columns(
            WORDS,
            "source",
            "target",
            "printed_attribute",
            "dictionary_attribute",
            "dictionary_file",
        )
    )
    grammar: pd.DataFrame = field(
        metadata=_columns(WORDS, "sample", "level", "exhibit")
        | _columns(KNOWN_POINTS, "originals", "mutants")
    )
    underived: pd.DataFrame = field(metadata=_columns(WORDS, "exhibit", "what", "why"))
    erratum: pd.DataFrame = field(
        metadata=_columns(WORDS, "exhibit", "what", "published", "recomputed", "corrected", "why")
    )


def read_published(paths: Sequence[str]) -> Published:
    """Return the files at `paths`, one per field of `Published`.

    Raises `InputError` for a file that is missing, and for one with other columns or cells.
    """
    by_name = {Path(path).stem: Path(path) for path in paths}
    return Published(**{file.name: _read(file, by_name) for file in fields(Published)})


def with_totals(counts: pd.DataFrame, *keys: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return the rows summed by `keys` and `by`, and their totals with `all` in place of each key.

    Totals are made for every combination of keys; all other columns are counts.
    """
    for key in keys:
        counts = pd.concat([counts, counts.assign(**{key: ALL})])
    return counts.groupby([*keys, *by], sort=False, as_index=False).sum()


def _read(file: Field[Any], paths: dict[str, Path]) -> pd.DataFrame:
    path = paths.get(file.name, Path(f"{file.name}.csv"))
    check_table(path, columns=file.metadata)
    # Printed numbers are compared digit by digit.
    return pd.read_csv(path, dtype=str) if file.name == "printed" else pd.read_csv(path)
