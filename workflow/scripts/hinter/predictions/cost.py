"""The plans of all paid runs together: their cost, and the originals that a budget pays for."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb
import pandas as pd

from ..database import open_database
from ..errors import InputError
from ..models import NANO_DOLLARS
from .approval import in_dollars
from .planning import CASES_ID


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


# The planned inputs with their order: 0 for originals, null for held-out texts.
PLANNED = """
    SELECT '{model}' AS model, '{dataset}' AS dataset, split_part(input_id, '|', 1) AS original_id,
        coalesce(s."order", o."order") AS "order", s.control, p.*
    FROM read_parquet('{plan}') AS p
    LEFT JOIN read_parquet('{suite}') AS s ON s.mutant_id = p.input_id
    LEFT JOIN (
        SELECT DISTINCT original_id, 0 AS "order" FROM read_parquet('{suite}')
    ) AS o ON o.original_id = p.input_id
"""

# Inputs that are asked whatever the number of originals: cases, held-out texts, and sampled mutants
# with their originals and sub-mutants, which the bits of a mask select.
FIXED = f"""
    SELECT '{{dataset}}' AS dataset, '{CASES_ID}' AS input_id
    UNION
    SELECT '{{dataset}}' AS dataset, original_id AS input_id
    FROM read_parquet('{{corpus}}') WHERE split = 'held_out'
    UNION
    SELECT '{{dataset}}', array_to_string(
        list_prepend(
            original_id, list_filter(pair_ids, lambda pair, i: (mask >> (i - 1)) & 1 = 1)
        ), '|'
    )
    FROM (
        SELECT original_id, pair_ids, unnest(range(1 << "order")) AS mask
        FROM read_parquet('{{suite}}') WHERE drawn
    )
"""

ORIGINALS = """
    SELECT DISTINCT '{dataset}' AS dataset, original_id
    FROM read_parquet('{suite}') WHERE drawn IS NULL
"""

# All calls about an input cost the same, so its totals are divided among the parts by their calls.
TABLE = f"""
    WITH parts AS (
        SELECT *, 1 AS place, 'repeats' AS part, repeats AS n FROM planned
        UNION ALL SELECT *,
            CASE WHEN input_id = '{CASES_ID}' THEN 10 WHEN "order" IS NULL THEN 2
                WHEN "order" = 0 THEN 0 WHEN control THEN 9 ELSE 2 + "order" END,
            CASE WHEN input_id = '{CASES_ID}' THEN 'cases'
                WHEN "order" IS NULL THEN 'held-out texts' WHEN "order" = 0 THEN 'originals'
                WHEN control THEN 'controls' ELSE 'mutants of order ' || "order" END,
            calls - repeats
        FROM planned
    )
    SELECT model, dataset, part, sum(n)::BIGINT AS calls,
        sum(input_tokens // calls * n)::BIGINT AS input_tokens,
        sum(output_tokens // calls * n)::BIGINT AS output_tokens,
        sum(nano_dollars // calls * n)::DOUBLE / {NANO_DOLLARS} AS dollars
    FROM parts WHERE n > 0 GROUP BY model, dataset, part, place ORDER BY model, dataset, place
"""

# The cost of the first originals, in the order in which a suite draws them (by the hash of seed and
# original), on top of the inputs that are asked anyway; the rank of the last that fits is returned.
ROOM = """
    WITH ranked AS (
        SELECT *, row_number() OVER (
            PARTITION BY dataset ORDER BY md5('{seed}:' || original_id), original_id
        ) AS rank
        FROM originals
    ),
    costs AS (
        SELECT rank, coalesce(sum(nano_dollars), 0) AS cost
        FROM ranked LEFT JOIN (FROM planned ANTI JOIN fixed USING (dataset, input_id))
            USING (dataset, original_id)
        GROUP BY rank
    ),
    totals AS (SELECT rank, sum(cost) OVER (ORDER BY rank) AS total FROM costs),
    anyway AS (FROM planned SEMI JOIN fixed USING (dataset, input_id))
    SELECT coalesce(max(rank), 0) FROM totals
    WHERE total + (SELECT coalesce(sum(nano_dollars), 0) FROM anyway) <= {cap}
"""


def tabulate_plan(runs: Sequence[PlannedRun]) -> pd.DataFrame:
    """Return the most calls, tokens and dollars per model, dataset and part of the inputs.

    Parts are originals, their repeats, held-out texts, mutants by order, controls, and the cases
    that are examined in the end.
    """
    table: pd.DataFrame = _connection(runs).execute(TABLE).df()
    return table


def show_plan(runs: Sequence[PlannedRun]) -> str:
    """Return the lines that show what is planned."""
    table = tabulate_plan(runs)
    if table.empty:
        return "Nothing is left to ask."
    return str(table.to_string(index=False, na_rep="no price"))


def show_total(runs: Sequence[PlannedRun], *, spent: float) -> str:
    """Return the line that tells what the runs cost at most; `spent` dollars were spent before."""
    table = tabulate_plan(runs)
    unpriced = int(table["calls"][table["dollars"].isna()].sum())
    without = f", and {unpriced} calls without a price" if unpriced else ""
    total = in_dollars(float(table["dollars"].sum()))
    return f"at most {total}{without}, after {in_dollars(spent)} spent before"


def affordable_originals(runs: Sequence[PlannedRun], *, dollars: float, seed: int) -> int:
    """Return the number of originals per dataset with which the runs cost at most `dollars`.

    Originals are taken in the order in which a suite draws them, each with all its mutants, so a
    suite with `originals` set to this number fits.
    """
    query = ROOM.format(seed=seed, cap=int(dollars * NANO_DOLLARS))
    found: int = _connection(runs).execute(query).fetchall()[0][0]
    return found


def _connection(runs: Sequence[PlannedRun]) -> duckdb.DuckDBPyConnection:
    connection = open_database()
    datasets = list({run.dataset: run for run in runs}.values())
    for name, query, parts in [
        ("planned", PLANNED, runs),
        ("fixed", FIXED, datasets),
        ("originals", ORIGINALS, datasets),
    ]:
        union = " UNION ALL ".join(f"({query.format(**part._asdict())})" for part in parts)
        connection.execute(f"CREATE TABLE {name} AS {union}")
    return connection


def check_budget(
    runs: Sequence[PlannedRun], *, budget_usd: float | None, spent: float, seed: int
) -> None:
    """Raise `InputError` if the runs may cost more than is left, and suggest a plan that fits.

    `spent` is the dollars that were spent before.
    """
    if budget_usd is None:
        return
    planned, left = float(tabulate_plan(runs)["dollars"].sum()), max(0.0, budget_usd - spent)
    if planned <= left:
        return
    fitting = affordable_originals(runs, dollars=left, seed=seed)
    offer = f"with `suite: {{originals: {fitting}}}` it fits, each with all its mutants; or "
    digits = _digits(planned, spent, budget_usd)
    raise InputError(
        where="configuration, key 'budget_usd'",
        found=f"a plan of up to ${planned:.{digits}f}, after ${spent:.{digits}f} spent before",
        expected=f"at most ${budget_usd:.{digits}f} in all",
        fix=f"See `snakemake plan`: {offer if fitting else ''}raise the budget.",
    )


def _digits(planned: float, spent: float, budget_usd: float) -> int:
    """Return the decimals needed to show that the plan costs more than is left, at least 2."""
    for digits in range(2, 9):
        parts = (round(amount * 10**digits) for amount in (planned, spent, -budget_usd))
        if sum(parts) > 0:
            return digits
    return 9
