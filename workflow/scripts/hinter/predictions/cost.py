"""What a study costs, before its models are run: calls, what a budget pays for, and disk space."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from ..dollars import in_dollars
from ..errors import InputError
from ..models import NANO_DOLLARS
from .planned import Estimate, PlannedRun, estimates, open_plans

# All calls about an input cost the same, so its totals are divided between the parts by calls.
TABLE = f"""
    WITH parts AS (
        SELECT * REPLACE (1 AS place, 'repeats' AS part), repeats AS n FROM planned
        UNION ALL SELECT *, calls - repeats FROM planned
    )
    SELECT model, dataset, part, sum(weight * n)::BIGINT AS calls,
        sum(weight * (input_tokens // calls * n))::BIGINT AS input_tokens,
        sum(weight * (output_tokens // calls * n))::BIGINT AS output_tokens,
        sum(weight * (nano_dollars // calls * n))::DOUBLE / {NANO_DOLLARS} AS dollars
    FROM parts WHERE n > 0 GROUP BY model, dataset, part, place ORDER BY model, dataset, place
"""

# The cost of the first originals, in the order in which a suite samples them (by the hash of seed
# and original), in addition to inputs that are asked anyway, and the rank of the last that fits.
AFFORDABLE = """
    WITH ranked AS (
        SELECT *, row_number() OVER (
            PARTITION BY dataset ORDER BY md5('{seed}:' || original_id), original_id
        ) AS rank
        FROM originals
    ),
    costs AS (
        SELECT rank, coalesce(sum(weight * nano_dollars), 0) AS cost
        FROM ranked LEFT JOIN (FROM planned ANTI JOIN fixed USING (dataset, input_id))
            USING (dataset, original_id)
        GROUP BY rank
    ),
    totals AS (SELECT rank, sum(cost) OVER (ORDER BY rank) AS total FROM costs),
    anyway AS (FROM planned SEMI JOIN fixed USING (dataset, input_id))
    SELECT coalesce(max(rank), 0) FROM totals
    WHERE total + (SELECT coalesce(sum(weight * nano_dollars), 0) FROM anyway) <= {cap}
"""


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


def tabulate_plan(runs: Sequence[PlannedRun]) -> pd.DataFrame:
    """Return the maximum of calls, tokens and dollars per model, dataset and part of the inputs.

    Parts are originals, their repeats, held-out texts, mutants by order, controls, and the cases
    that are examined at the end. Numbers of parts too large to count are estimates.
    """
    return open_plans(runs).execute(TABLE).df()


def show_plan(runs: Sequence[PlannedRun]) -> str:
    """Return the lines that show the plan, and the intervals of estimates."""
    table, estimated = tabulate_plan(runs), estimates(runs)
    if table.empty and not estimated:
        return "No calls are left to make."
    lines = [] if table.empty else [table.to_string(index=False, na_rep="no price")]
    return "\n".join([*lines, *map(_show_estimate, estimated)])


def show_total(runs: Sequence[PlannedRun], *, spent: float) -> str:
    """Return the line with the maximum cost of the runs; `spent` dollars were spent before."""
    table = tabulate_plan(runs)
    unpriced = int(table["calls"][table["dollars"].isna()].sum())
    without = f", and {unpriced} calls without a price" if unpriced else ""
    planned, most = float(table["dollars"].sum()), most_dollars(runs)
    about = f"about {in_dollars(planned)}, " if most > planned else ""
    return f"{about}at most {in_dollars(most)}{without}, after {in_dollars(spent)} spent before"


def most_dollars(runs: Sequence[PlannedRun]) -> float:
    """Return the maximum cost of the runs, with the upper ends of estimated parts."""
    planned = float(tabulate_plan(runs)["dollars"].sum())
    return planned + sum(
        part.dollars.high - part.dollars.value for part in estimates(runs) if part.dollars
    )


def _show_estimate(part: Estimate) -> str:
    ends = f"{part.input_tokens.low:,.0f} to {part.input_tokens.high:,.0f} input tokens"
    if part.dollars:
        ends += f", {in_dollars(part.dollars.low)} to {in_dollars(part.dollars.high)}"
    return (
        f"estimate: {part.model} on {part.dataset}, {part.part}: {part.counted:,} of "
        f"{part.inputs:,} counted; with 99 % certainty {ends}"
    )


def affordable_originals(runs: Sequence[PlannedRun], *, dollars: float, seed: int) -> int:
    """Return the number of originals per dataset with which the runs cost at most `dollars`.

    Originals are taken in the order in which a suite samples them, each with all its mutants. A
    suite with `originals` set to this number is therefore within the budget.
    """
    query = AFFORDABLE.format(seed=seed, cap=int(dollars * NANO_DOLLARS))
    return open_plans(runs).execute(query).fetchall()[0][0]


def check_budget(
    runs: Sequence[PlannedRun], *, budget_usd: float | None, spent: float, seed: int
) -> None:
    """Raise `InputError` if the runs may cost more than is left, and suggest a plan within budget.

    `spent` are the dollars that were spent before.
    """
    if budget_usd is None:
        return
    most, left = most_dollars(runs), max(0.0, budget_usd - spent)
    if most <= left:
        return
    # Allow for the same error in the estimate for fewer originals.
    sure = float(tabulate_plan(runs)["dollars"].sum()) / most
    fitting = affordable_originals(runs, dollars=left * sure, seed=seed)
    offer = f"with `suite: {{originals: {fitting}}}` it fits, each with all its mutants; or "
    digits = _digits(most, spent, budget_usd)
    raise InputError(
        where="configuration, key 'budget_usd'",
        found=f"a plan of up to ${most:.{digits}f}, after ${spent:.{digits}f} spent before",
        expected=f"at most ${budget_usd:.{digits}f} in all",
        fix=f"See `snakemake plan`: {offer if fitting else ''}raise the budget.",
    )


def _digits(planned: float, spent: float, budget_usd: float) -> int:
    """Return the number of decimals, at least 2, that show that the plan exceeds the budget."""
    amounts = (planned, spent, -budget_usd)
    shown = (n for n in range(2, 9) if sum(round(each * 10**n) for each in amounts) > 0)
    return next(shown, 9)


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
