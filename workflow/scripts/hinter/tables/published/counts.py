"""The counts that the paper's authors published."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

ALL = "all"
"""The value of a key that a total sums over."""


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
    erratum: pd.DataFrame


def read_published(paths: Sequence[str]) -> Published:
    """Return the files at `paths`, one per field of `Published`."""
    # Printed numbers are compared digit by digit.
    types = {"printed": str}
    return Published(
        **{Path(path).stem: pd.read_csv(path, dtype=types.get(Path(path).stem)) for path in paths}
    )


def with_totals(counts: pd.DataFrame, *keys: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return the rows summed by `keys` and `by`, and their totals with `all` in place of each key.

    Totals are made for every combination of keys; all other columns are counts.
    """
    for key in keys:
        counts = pd.concat([counts, counts.assign(**{key: ALL})])
    return counts.groupby([*keys, *by], sort=False, as_index=False).sum()
