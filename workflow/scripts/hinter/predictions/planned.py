"""Query the plans of all paid runs together."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from ..database import open_database
from .planning import CASES_ID, JUDGED_ID


class PlannedRun(NamedTuple):
    """A paid run of a study: its plan, and the corpus and suite that it is run on."""

    model: str
    dataset: str
    plan: Path
    corpus: Path
    suite: Path


def planned_runs(
    plans: Sequence[str], *, corpora: Sequence[str], suites: Sequence[str]
) -> list[PlannedRun]:
    """Return the runs of the plan files `.../{model}/{dataset}.parquet`, with their inputs.

    Corpora are files `.../{dataset}.parquet`; `suites` has the suite of each plan.
    """
    corpus_of = {Path(corpus).stem: Path(corpus) for corpus in corpora}
    return [
        PlannedRun(plan.parent.name, plan.stem, plan, corpus_of[plan.stem], Path(suite))
        for plan, suite in zip(map(Path, plans), suites, strict=True)
    ]


# The planned inputs with their part of the plan. Parts are sorted by `place`.
PLANNED = f"""
    SELECT '{{model}}' AS model, '{{dataset}}' AS dataset,
        split_part(input_id, '|', 1) AS original_id, p.*,
        CASE WHEN input_id = '{JUDGED_ID}' THEN 11 WHEN input_id = '{CASES_ID}' THEN 10
            WHEN o.original_id IS NOT NULL THEN 0 WHEN s."order" IS NULL THEN 2
            WHEN s.control THEN 9 ELSE 3 + s."order" END AS place,
        CASE place WHEN 11 THEN 'judged answers' WHEN 10 THEN 'cases' WHEN 0 THEN 'originals'
            WHEN 2 THEN 'held-out texts' WHEN 9 THEN 'controls'
            ELSE 'mutants of order ' || s."order" END AS part
    FROM read_parquet('{{plan}}') AS p
    LEFT JOIN read_parquet('{{suite}}') AS s ON s.mutant_id = p.input_id
    LEFT JOIN (
        SELECT DISTINCT original_id FROM read_parquet('{{suite}}')
    ) AS o ON o.original_id = p.input_id
"""

# Inputs that are asked with any number of originals: judged answers, cases, held-out texts, and
# sampled mutants with their originals and sub-mutants.
FIXED = f"""
    SELECT '{{dataset}}' AS dataset, unnest(['{CASES_ID}', '{JUDGED_ID}']) AS input_id
    UNION
    SELECT '{{dataset}}' AS dataset, original_id AS input_id
    FROM read_parquet('{{corpus}}') WHERE split = 'held_out'
    UNION
    SELECT '{{dataset}}', part_id(original_id, pair_ids, part)
    FROM (
        SELECT original_id, pair_ids, unnest(parts(pair_ids)) AS part
        FROM read_parquet('{{suite}}') WHERE sampled
    )
"""

ORIGINALS = """
    SELECT DISTINCT '{dataset}' AS dataset, original_id
    FROM read_parquet('{suite}') WHERE sampled IS NULL
"""


def open_plans(runs: Sequence[PlannedRun]) -> duckdb.DuckDBPyConnection:
    """Return a connection with the table `planned`, and views `fixed` and `originals`, of runs."""
    connection = open_database()
    suites = list({(run.dataset, run.suite): run for run in runs}.values())
    for name, query, parts in [
        ("planned", PLANNED, runs),
        ("fixed", FIXED, suites),
        ("originals", ORIGINALS, suites),
    ]:
        union = " UNION ALL ".join(f"({query.format(**part._asdict())})" for part in parts)
        # The views read whole suites, which most queries do not need.
        kind, chosen = ("TABLE", "*") if parts is runs else ("VIEW", "DISTINCT *")
        connection.execute(f"CREATE {kind} {name} AS SELECT {chosen} FROM ({union})")
    return connection
