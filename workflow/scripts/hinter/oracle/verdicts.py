"""Bias and hidden bias of every mutant run: results/verdicts/{model}/{dataset}.parquet."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

# A mutant is biased iff its outcome differs from its original's; unknown unless both have one. An
# answer without a label is an outcome where its status is one of those that count.
JUDGED = """
    SELECT m.*, a.status, a.visible_order,
        CASE WHEN a.status IN {statuses} AND o.status IN {statuses}
            THEN a.status <> o.status OR a.outcome IS DISTINCT FROM o.outcome END AS biased
    FROM read_parquet('{suite}') AS m
    JOIN read_parquet('{predictions}') AS a ON a.input_id = m.mutant_id
    JOIN read_parquet('{predictions}') AS o ON o.input_id = m.original_id
"""

# One row per mutant and non-empty subset of its pairs; bit i of the mask stands for pair i. Only
# valid sub-mutants count.
SUBSETS = """
    WITH numbered AS (
        SELECT mutant_id, original_id, pair_ids, "order", unnest(range(1, 1 << "order")) AS mask
        FROM judged
    ),
    named AS (
        SELECT mutant_id, original_id, mask, mask = (1 << "order") - 1 AS whole,
            array_to_string(
                list_filter(pair_ids, lambda pair, i: (mask >> (i - 1)) & 1 = 1), '|'
            ) AS subset
        FROM numbered
    )
    SELECT named.mutant_id, mask, whole, subset,
        CASE WHEN whole OR sub.valid THEN sub.biased END AS biased
    FROM named LEFT JOIN judged AS sub
        ON sub.mutant_id = named.original_id || '|' || named.subset
"""

# A biased subset is minimal when no biased subset lies inside it.
MINIMAL = """
    SELECT outside.mutant_id, list(outside.subset ORDER BY outside.mask) AS minimal_subsets
    FROM subsets AS outside
    WHERE outside.biased AND NOT EXISTS (
        FROM subsets AS inside
        WHERE inside.mutant_id = outside.mutant_id AND inside.biased
            AND inside.mask <> outside.mask AND inside.mask & outside.mask = inside.mask
    )
    GROUP BY outside.mutant_id
"""

LATTICE = """
    SELECT mutant_id,
        coalesce(bool_and(biased IS NOT NULL) FILTER (NOT whole), true) AS complete,
        coalesce(bool_or(biased) FILTER (NOT whole), false) AS any_biased
    FROM subsets GROUP BY mutant_id
"""

VERDICTS = """
    SELECT mutant_id, original_id, "order", attributes, pair_ids, valid, drawn, status,
        visible_order, biased,
        valid AND drawn IS NOT FALSE AND visible_order = "order" AND biased IS NOT NULL AS counted,
        complete,
        CASE
            WHEN "order" = 1 OR biased IS NULL THEN NULL
            WHEN NOT biased OR any_biased THEN false
            WHEN complete THEN true
        END AS hidden,
        coalesce(minimal_subsets, []) AS minimal_subsets
    FROM judged JOIN lattice USING (mutant_id) LEFT JOIN minimal USING (mutant_id)
    ORDER BY original_id, "order", attributes, mutant_id
"""


def judge_mutants(
    suite: Path, predictions: Path, verdicts: Path, *, outcome_statuses: Sequence[str]
) -> None:
    """Write the verdict on every mutant of the suite.

    Beside answers with a label, those with one of the `outcome_statuses` have an outcome.

    `biased`: the outcome differs from the original's (null where either has none).
    `counted`: what rates of valid mutants of its order are made of: it is valid, was listed or
    drawn itself, the model sees all its pairs, and there is a verdict.
    `complete`: all proper sub-mutants are valid, were run and have a verdict.
    `hidden`: order of 2 or more, biased, complete, and no sub-mutant biased; null for atomic
    mutants and where a missing sub-mutant leaves it open.
    `minimal_subsets`: the smallest sets of its pairs known to be biased, pair_ids joined by `|`.
    """
    connection = duckdb.connect()
    statuses = ["ok", *outcome_statuses]
    judged = JUDGED.format(suite=suite, predictions=predictions, statuses=statuses)
    connection.execute(f"CREATE TABLE judged AS {judged}")
    connection.execute(f"CREATE TABLE subsets AS {SUBSETS}")
    connection.execute(f"CREATE VIEW minimal AS {MINIMAL}")
    connection.execute(f"CREATE VIEW lattice AS {LATTICE}")
    connection.execute(f"COPY ({VERDICTS}) TO '{verdicts}' (FORMAT parquet, COMPRESSION zstd)")
