"""Query the plans of all paid runs together, and estimate parts from a sample, with intervals."""

from collections.abc import Sequence
from math import log, sqrt
from pathlib import Path
from typing import NamedTuple

import duckdb

from ..database import open_database
from ..models import NANO_DOLLARS
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


UNSURE = 0.01
"""The maximum probability that the interval of an estimate misses the total."""

# Only rows that stand for others as well have a weight above 1. These may have no calls themselves.
# Of tokens and of dollars: the total, the variance, and the maximum for any input.
SAMPLES = f"""
    SELECT model, dataset, part, count(*) AS counted, round(sum(weight))::BIGINT AS inputs,
        [sum(input_tokens), var_pop(input_tokens), max(most_input_tokens)] AS input_tokens,
        [sum(dollars), var_pop(dollars), max(most_nano_dollars) / {NANO_DOLLARS}] AS dollars
    FROM (SELECT *, nano_dollars / {NANO_DOLLARS} AS dollars FROM planned WHERE weight > 1)
    GROUP BY model, dataset, part, place ORDER BY model, dataset, place
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


class Total(NamedTuple):
    """An estimated total and the ends of its interval."""

    value: float
    low: float
    high: float


class Estimate(NamedTuple):
    """A part of a plan, with `counted` of its `inputs` counted; without a price, no dollars."""

    model: str
    dataset: str
    part: str
    counted: int
    inputs: int
    input_tokens: Total
    dollars: Total | None


def estimates(runs: Sequence[PlannedRun]) -> list[Estimate]:
    """Return the parts of the runs that are estimated."""
    rows = open_plans(runs).sql(SAMPLES).to_arrow_table().to_pylist()
    for row in rows:
        for name in ("input_tokens", "dollars"):
            known = None not in row[name]
            sizes = {"counted": row["counted"], "inputs": row["inputs"]}
            row[name] = bounded_total(*row[name], **sizes) if known else None
    return [Estimate(**row) for row in rows]


def bounded_total(
    total: float, variance: float, most: float, *, counted: int, inputs: int
) -> Total:
    """Return the estimated total of all `inputs`, given that of a uniform sample of `counted`.

    `variance` is that within the sample. Each input counts between 0 and `most`. The interval is
    the empirical Bernstein bound (Audibert, Munos and Szepesvari 2009, theorem 1), which holds for
    any distribution and sample size, even if an expensive input was not sampled. It was proved for
    sampling with replacement; without it, the variance is smaller (Hoeffding 1963, section 6).
    """
    mean, unlikely = total / counted, log(3 / UNSURE) / counted
    off = sqrt(2 * variance * unlikely) + 3 * most * unlikely
    rest = inputs - counted
    # The counted part of the total is known.
    return Total(
        mean * inputs,
        max(total, (mean - off) * inputs),
        min(total + rest * most, (mean + off) * inputs),
    )
