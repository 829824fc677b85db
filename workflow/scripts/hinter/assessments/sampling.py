"""Sample the mutants that people annotate: valid ones of the suites, evenly."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..database import open_database
from ..errors import InputError

SUITE = """
    SELECT '{dataset}' AS dataset, mutant_id, original_id, "order", pair_ids, edits
    FROM read_parquet('{suite}') WHERE valid AND sampled IS DISTINCT FROM false AND NOT control
"""
# Originals take turns within an order, orders within a dataset, and datasets within the form. If a
# text is in two datasets, it has the same mutants in both, and each is annotated once.
SAMPLE_QUERY = """
    WITH hashed AS (
        SELECT dataset, mutant_id, original_id, "order", md5('{seed}:' || mutant_id) AS hash
        FROM valid QUALIFY row_number() OVER (PARTITION BY mutant_id ORDER BY dataset) = 1
    ),
    of_original AS (
        SELECT *, row_number() OVER (
            PARTITION BY dataset, "order", original_id ORDER BY hash, mutant_id
        ) AS turn FROM hashed
    ),
    of_order AS (
        SELECT * REPLACE (row_number() OVER (
            PARTITION BY dataset, "order" ORDER BY turn, hash, mutant_id
        ) AS turn) FROM of_original
    ),
    of_dataset AS (
        SELECT * REPLACE (row_number() OVER (PARTITION BY dataset ORDER BY turn, "order") AS turn)
        FROM of_order
    ),
    sampled AS (
        SELECT dataset, mutant_id, hash FROM of_dataset ORDER BY turn, dataset LIMIT {mutants}
    )
    SELECT dataset, mutant_id, original_id, pair_ids, edits
    FROM valid JOIN sampled USING (dataset, mutant_id) ORDER BY hash, mutant_id
"""


def sample_mutants(suites: Mapping[str, Path], *, mutants: int, seed: int) -> list[dict[str, Any]]:
    """Return at most so many valid `mutants` of the suites by dataset, in the order of the form.

    They are sampled by seeded hash: equal numbers from each dataset, within it from each order, and
    within that from each original, as far as there are enough. A row has dataset, mutant_id,
    original_id, pair_ids and edits. Raises `InputError` if no mutant is valid.
    """
    connection = open_database()
    valid = " UNION ALL ".join(
        SUITE.format(dataset=dataset, suite=suite) for dataset, suite in suites.items()
    )
    connection.execute(f"CREATE VIEW valid AS {valid}")
    sampled = connection.sql(SAMPLE_QUERY.format(seed=seed, mutants=mutants)).to_arrow_table()
    if not sampled.num_rows:
        raise InputError(
            where=", ".join(map(str, suites.values())),
            found="no valid mutant",
            expected="at least one to annotate",
            fix="Test more texts (`splits` in the datasets sheet), or add terms to the dictionary.",
        )
    rows: list[dict[str, Any]] = sampled.to_pylist()
    return rows
