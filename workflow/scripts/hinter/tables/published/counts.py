"""The counts that the paper's authors published, and the numbers that their paper prints."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import pandas as pd

from ...errors import InputError

ALL = "all"
"""Stands for the key that a total sums over."""


@dataclass(frozen=True)
class Published:
    """The files of data/published, each under its name; the README there describes them."""

    bias_rates: pd.DataFrame
    originals: pd.DataFrame
    encoder_mutants: pd.DataFrame
    prompted_mutants: pd.DataFrame
    prompted_tests: pd.DataFrame
    truth_table: pd.DataFrame
    unique_mutants: pd.DataFrame
    exposure: pd.DataFrame
    printed: pd.DataFrame
    table1: pd.DataFrame
    grammar: pd.DataFrame
    underived: pd.DataFrame


def read_published(paths: Sequence[str]) -> Published:
    """Return the files at `paths`, one per field of `Published`.

    Raises `InputError` for a file that is missing.
    """
    by_name = {Path(path).stem: Path(path) for path in paths}
    return Published(**{field.name: _read(field.name, by_name) for field in fields(Published)})


def with_totals(counts: pd.DataFrame, *keys: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return the rows summed by `keys` and `by`, and their totals with `all` in place of each key.

    Totals are made for every combination of keys; all other columns are counts.
    """
    for key in keys:
        counts = pd.concat([counts, counts.assign(**{key: ALL})])
    return counts.groupby([*keys, *by], sort=False, as_index=False).sum()


def _read(name: str, paths: dict[str, Path]) -> pd.DataFrame:
    path = paths.get(name, Path(f"{name}.csv"))
    try:
        # Printed numbers are compared digit by digit.
        return pd.read_csv(path, dtype=str) if name == "printed" else pd.read_csv(path)
    except FileNotFoundError:
        raise InputError(
            where=str(path),
            found="no such file",
            expected="published counts",
            fix="Bring back the file that came with the study.",
        ) from None
