"""The counts that the paper's authors published, and the numbers that their paper prints."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import pandas as pd

from ..bundled import COUNT, KNOWN_COUNT, KNOWN_POINTS, TRUTH, WORDS, Kind, check_table

ALL = "all"
"""The value of a key that a total sums over."""


def _columns(kind: Kind, *names: str) -> dict[str, Kind]:
    return dict.fromkeys(names, kind)


COLUMNS: dict[str, dict[str, Kind]] = {
    "bias_rates": {
        **_columns(WORDS, "model", "dataset"),
        **_columns(COUNT, "tested", "biased", "looked_up", "hidden"),
    },
    "originals": {
        **_columns(WORDS, "model", "dataset"),
        **_columns(KNOWN_COUNT, "originals"),
        **_columns(COUNT, "biased"),
    },
    "encoder_mutants": {
        **_columns(WORDS, "model", "level", "dataset"),
        **_columns(COUNT, "valid", "valid_biased", "discarded", "discarded_biased"),
    },
    "prompted_mutants": {
        **_columns(WORDS, "attributes", "dataset"),
        **_columns(COUNT, "valid", "discarded_early"),
    },
    "prompted_tests": {
        **_columns(WORDS, "model", "attributes"),
        **_columns(COUNT, "loaded", "identical", "tested", "biased"),
    },
    "truth_table": {
        **_columns(WORDS, "combination", "model"),
        **_columns(TRUTH, "intersectional", "first", "second"),
        **_columns(COUNT, "mutants"),
    },
    "unique_mutants": {**_columns(WORDS, "quantity"), **_columns(COUNT, "mutants")},
    "exposure": {
        **_columns(WORDS, "combination"),
        **_columns(TRUTH, "first", "second", "intersectional"),
        **_columns(COUNT, "originals"),
    },
    "printed": _columns(WORDS, "quantity", "model", "part", "exhibit", "count", "of", "percent"),
    "table1": _columns(
        WORDS, "source", "target", "printed_attribute", "dictionary_attribute", "dictionary_file"
    ),
    "grammar": {
        **_columns(WORDS, "sample", "level", "exhibit"),
        **_columns(KNOWN_POINTS, "originals", "mutants"),
    },
    "underived": _columns(WORDS, "exhibit", "what", "why"),
    "erratum": _columns(WORDS, "exhibit", "what", "published", "recomputed", "corrected", "why"),
}
"""The columns that each file must have, and what they contain."""


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
    """Return the files at `paths`, one per field of `Published`.

    Raises `InputError` for a file that is missing, and for one with other columns or cells.
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
    check_table(path, columns=COLUMNS[name])
    # Printed numbers are compared digit by digit.
    return pd.read_csv(path, dtype=str) if name == "printed" else pd.read_csv(path)
