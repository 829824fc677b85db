"""Estimate the disk space that a study takes, before its models are run."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

BYTES_OF_TEXT = 4096
"""The entry of a text in the store of checks: one block, like any small file."""
BYTES_OF_MUTANT = 30
"""The row of a mutant, which exists twice until shards are merged, and its part in the store."""
BYTES_OF_INPUT = 200
"""For each model: a row of the suite, of its predictions (twice) and verdicts, and a response."""
BYTES_OF_SCORE = 10
"""For each label of each of these: a number in a response, and in predictions (twice)."""
MEGABYTES_OF_REPORT = 10
"""The report with tables, figures and logs."""


def tabulate_disk(
    *,
    resources: Mapping[str, int],
    models: Mapping[str, int],
    corpora: Sequence[Path],
    mutants: Sequence[Path],
    inputs: int,
    scores: int,
) -> pd.DataFrame:
    """Return the parts of a study with their numbers and approximate megabytes.

    `resources` are those to be fetched, `models` those to be made, both with their megabytes.
    `inputs` is the total number of inputs of all models, and `scores` that of the label scores kept
    for them. Bytes per item were measured in the default study.
    """
    texts, rows = _rows(corpora), _rows(mutants)
    space = sum(path.stat().st_size for path in corpora) + texts * BYTES_OF_TEXT
    parts = [
        ("resources to fetch", len(resources), sum(resources.values())),
        ("models to make", len(models), sum(models.values())),
        ("texts", texts, space / 1e6),
        ("mutants", rows, rows * BYTES_OF_MUTANT / 1e6),
        ("inputs of models", inputs, inputs * BYTES_OF_INPUT / 1e6),
        ("scores of labels", scores, scores * BYTES_OF_SCORE / 1e6),
        ("report", 1, MEGABYTES_OF_REPORT),
    ]
    return pd.DataFrame(parts, columns=["what", "number", "megabytes"]).round(1)


def _rows(paths: Sequence[Path]) -> int:
    return sum(pq.read_metadata(path).num_rows for path in paths)
