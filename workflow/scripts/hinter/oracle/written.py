"""Suites of mutants that are written out: results/suites/{probe}.parquet."""

import pyarrow as pa

from ..mutation import RECIPE_SCHEMA

WRITTEN_SUITE_SCHEMA = pa.schema(
    [
        *RECIPE_SCHEMA,
        ("valid", pa.bool_()),
        ("drawn", pa.bool_()),
        ("control", pa.bool_()),
        ("text", pa.string()),
        ("kinds", pa.list_(pa.string())),
    ]
)
"""The columns of a suite, and two more: the `text` of a mutant that no recipe makes, and `kinds`,
which name what it is to its original."""
