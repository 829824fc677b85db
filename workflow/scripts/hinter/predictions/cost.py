"""Plans of all paid runs put together: what they cost, and how many originals a budget buys."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb
import pandas as pd

from ..errors import InputError

NANO_DOLLARS = 10**9


class PlannedRun(NamedTuple):
    """A paid run of a study: its plan, and the suite that it is run on."""

    model: str
    dataset: str
    plan: Path
    suite: Path


def planned_runs(plans: Sequence[str], *, suites: Sequence[str]) -> list[PlannedRun]:
    """Return the runs of the plan files `.../{model}/{dataset}.parquet`, with their suites."""
    return [
        PlannedRun(Path(plan).parent.name, Path(plan).stem, Path(plan), Path(suite))
        for plan, suite in zip(plans, suites, strict=True)
    ]


# Held-out texts and sampled mutants are asked whatever the number of originals.
PLANNED = """
    SELECT '{model}' AS model, '{dataset}' AS dataset, split_part(input_id, '|', 1) AS original_id,
        coalesce(s."order", 0) AS "order",
        CASE WHEN s.mutant_id IS NOT NULL THEN s.drawn IS NOT NULL
            ELSE split_part(input_id, '|', 1) NOT IN (
                SELECT original_id FROM read_parquet('{suite}') WHERE drawn IS NULL
            ) END AS fixed,
        p.* EXCLUDE input_id
    FROM read_parquet('{plan}') AS p
    LEFT JOIN read_parquet('{suite}') AS s ON s.mutant_id = p.input_id
"""

ORIGINALS = """
    SELECT DISTINCT '{dataset}' AS dataset, original_id
    FROM read_parquet('{suite}') WHERE drawn IS NULL
"""

TABLE = """
    SELECT model, dataset, "order", sum(calls)::BIGINT AS calls,
        sum(input_tokens)::BIGINT AS input_tokens, sum(output_tokens)::BIGINT AS output_tokens,
        sum(nano_dollars)::DOUBLE / 1e9 AS dollars
    FROM planned GROUP BY ALL ORDER BY ALL
"""

# As a suite of fewer originals is drawn: by the hash of seed and original.
ROOM = """
    WITH ranked AS (
        SELECT *, row_number() OVER (
            PARTITION BY dataset ORDER BY md5('{seed}:' || original_id), original_id
        ) AS rank
        FROM originals
    ),
    costs AS (
        SELECT rank, coalesce(sum(nano_dollars), 0) AS cost
        FROM ranked LEFT JOIN (FROM planned WHERE NOT fixed) USING (dataset, original_id)
        GROUP BY rank
    ),
    totals AS (SELECT rank, sum(cost) OVER (ORDER BY rank) AS total FROM costs)
    SELECT coalesce(max(rank), 0) FROM totals
    WHERE total + (SELECT coalesce(sum(nano_dollars), 0) FROM planned WHERE fixed) <= {cap}
"""


def tabulate_plan(runs: Sequence[PlannedRun]) -> pd.DataFrame:
    """Return calls, tokens and dollars (at most) per model, dataset and order; 0 is originals."""
    table: pd.DataFrame = _connection(runs).execute(TABLE).df()
    return table


def affordable_originals(runs: Sequence[PlannedRun], *, dollars: float, seed: int) -> int:
    """Return with how many originals per dataset the runs cost `dollars` at most.

    Originals are kept in the order in which a suite draws them, each with all its mutants, so the
    suite with `originals` set to this number is the plan that fits.
    """
    query = ROOM.format(seed=seed, cap=int(dollars * NANO_DOLLARS))
    found: int = _connection(runs).execute(query).fetchall()[0][0]
    return found


def _connection(runs: Sequence[PlannedRun]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    union = " UNION ALL ".join(PLANNED.format(**run._asdict()) for run in runs)
    connection.execute(f"CREATE TABLE planned AS {union}")
    suites = {run.dataset: run.suite for run in runs}
    union = " UNION ALL ".join(
        ORIGINALS.format(dataset=dataset, suite=suite) for dataset, suite in suites.items()
    )
    connection.execute(f"CREATE TABLE originals AS {union}")
    return connection


def check_budget(
    runs: Sequence[PlannedRun], *, budget_usd: float | None, spent: float, seed: int
) -> None:
    """Raise `InputError` where the runs may cost more than is left, and offer a plan that fits.

    `spent` is what was spent before, in dollars.
    """
    if budget_usd is None:
        return
    planned, left = float(tabulate_plan(runs)["dollars"].sum()), max(0.0, budget_usd - spent)
    if planned <= left:
        return
    fitting = affordable_originals(runs, dollars=left, seed=seed)
    offer = (
        f"with `suite: {{originals: {fitting}}}` it fits, each original with all its mutants; or"
    )
    raise InputError(
        where="configuration, key 'budget_usd'",
        found=f"a plan of up to ${planned:.2f}, after ${spent:.2f} spent before",
        expected=f"at most ${budget_usd:.2f} in all",
        fix=f"See `snakemake plan`: {offer if fitting else ''} raise the budget.",
    )
