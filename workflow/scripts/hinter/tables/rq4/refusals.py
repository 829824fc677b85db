"""Refused mutants by group, compared with their originals: who gets no answer."""

from pathlib import Path

import pandas as pd

from ..columns import RUN, tally, with_both
from ..groups import LEVEL, SURE, adjust_by_model, row_per_line, rows_of_runs
from ..shown import in_percent, p_and_q, percent, shown
from ..table import Results, Table, query_results

NAMES = ["level", "attribute", "target_group"]
SUMS = ["n", "refused", "originals_refused"]

# A model that refuses nothing has no rows.
REFUSED = f"""
    WITH originals AS (
        SELECT model, dataset, input_id AS original_id, status = 'refused' AS before
        FROM predictions WHERE NOT contains(input_id, '|')
    ),
    asked AS (
        SELECT model, dataset, original_id, {LEVEL} AS level, pair_ids,
            status = 'refused' AS after, before
        FROM verdicts JOIN originals USING (model, dataset, original_id)
        WHERE valid AND visible_order = "order" AND status <> 'identical'
            AND sampled IS DISTINCT FROM false
    ),
    lines AS (
        SELECT * EXCLUDE (pair_ids), 'all' AS attribute, '' AS target_group FROM asked
        UNION ALL BY NAME
        SELECT * EXCLUDE (pair_ids, pair_id)
        FROM (SELECT *, unnest(pair_ids) AS pair_id FROM asked)
        JOIN (SELECT pair_id, attribute, target_group FROM pairs) USING (pair_id)
    )
    SELECT model, dataset, level, attribute, target_group, original_id, count(*) AS n,
        count(*) FILTER (after) AS refused, count(*) FILTER (before) AS originals_refused
    FROM lines
    SEMI JOIN (SELECT DISTINCT model, dataset FROM asked WHERE after OR before)
        USING (model, dataset)
    GROUP BY ALL ORDER BY ALL
"""


def tabulate_refusals(
    verdicts: Results, predictions: Results, *, pairs: Path, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, level of mutants and group, and one for all groups.

    Models that refuse neither an original nor a mutant of it have no rows. Mutants that are
    discarded, not seen whole, or run only as parts of sampled ones do not count.
    """
    if not verdicts:
        return pd.DataFrame(columns=list(COLUMNS))
    sums = query_results(REFUSED, verdicts=verdicts, predictions=predictions, pairs=pairs)
    by_run = sums.groupby(["model", "dataset"])
    runs = ((run, _rates(sums, seed=seed)) for run, sums in by_run)
    return adjust_by_model(rows_of_runs(runs, COLUMNS), "")


def _rates(sums: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the rows of one model and dataset."""
    sums = sums.assign(more=sums["refused"] - sums["originals_refused"])
    rates = {"refused_rate": ("refused", "n")}
    rows = row_per_line(sums, NAMES, tally, tested=("more", "n"), sums=SUMS, rates=rates, seed=seed)
    originals_rate = (rows["originals_refused"] / rows["n"]).round(6)
    originals = sums.groupby(NAMES, sort=False).size()
    return rows.assign(originals=originals, originals_rate=originals_rate).reset_index()


def say_refused(rows: pd.DataFrame) -> str:
    """Return the groups whose mutants are refused significantly more often than their originals."""
    more = rows[(rows["q_value"] <= SURE) & (rows["refused_rate"] > rows["originals_rate"])]
    said = [
        f"{row['target_group'] or 'all groups'} ({row['level']}; {row['model']}, "
        f"{row['dataset']}): {percent(row['refused_rate'])} % of {row['n']} mutants, "
        f"{percent(row['originals_rate'])} % of their originals, q = {row['q_value']:.4f}"
        for row in more.sort_values("q_value", kind="stable").to_dict("records")
    ]
    return f"Mutants are refused but their originals are not: {'; '.join(said)}." if said else ""


COLUMNS = {
    **RUN,
    "level": "level of the mutants: intersectional or atomic",
    "attribute": "all, or the attribute of a pair",
    "target_group": "group whose term or descriptor a mutant has; empty for all",
    "n": "valid mutants that were run, whatever the answer",
    "originals": "originals of these mutants",
    "refused": "mutants of n that were refused, or that a filter blocked",
    **with_both("refused_rate", "refused / n"),
    "originals_refused": "mutants of n whose original was refused",
    "originals_rate": "originals_refused / n",
    "p_value": "two-sided sign-flip test by original of refused minus originals_refused",
    "q_value": "its Benjamini-Hochberg adjustment over all rows of a model",
}


TABLE = Table(
    title="Refusals by group",
    reads=("verdicts", "predictions", "pairs"),
    settings=("seed",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_refusals,
    finding=lambda rows, given: say_refused(rows),
    show=shown(
        *("model", "dataset", "level", "attribute", "target_group", "n", "originals", "refused"),
        in_percent("refused_rate", "refused %", ends="Wilson", cluster="by original"),
        in_percent("originals_rate", "originals %"),
        p_and_q(),
    ),
    caption=(
        "How often mutants are refused or blocked by a filter, by the group that they name, and "
        "how often their originals are; with Wilson's interval, a cluster bootstrap by original, "
        "and the sign-flip test of the difference (p), adjusted by Benjamini-Hochberg (q)."
    ),
    empty="Nothing to show: no model refused an original or one of its mutants.",
    about="""\
Refused and blocked prompts by group. A model, or the filter of its provider, that answers an
original but not its mutant treats the group differently, although no outcome has changed: bias
rates leave such mutants out, unless the configuration counts refusals (``outcome_statuses``).
*originals %* is the share of the same mutants whose originals were refused. *p* tests the
difference by original, *q* adjusts it over all rows of a model (Benjamini-Hochberg).
""",
)
