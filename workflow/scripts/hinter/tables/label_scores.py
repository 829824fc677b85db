"""What the scores of labels show: the task, divergences, and which hidden bias is robust."""

from pathlib import Path
from typing import NamedTuple

import duckdb
import pandas as pd

from .table import Part, Results, open_results

# A score of -700 is a probability of 0 in any sum; lower ones would overflow the exponential.
PROBABILITIES = """
    list_transform(
        list_sort(map_entries({scores})),
        lambda label: 1 / (1 + exp(-greatest(label.value, -700)))
    )
"""
"""The probabilities of labels in the order of their names, given their log-odds."""

# The probabilities of exclusive labels add up to 1; rounding changes this by less than a tenth.
TASK = f"""
    WITH given AS (
        SELECT outcome, map_keys(scores) AS labels,
            list_sum({PROBABILITIES.format(scores="scores")}) AS total
        FROM predictions WHERE scores IS NOT NULL
    )
    SELECT (SELECT count(DISTINCT label) FROM (SELECT unnest(labels) AS label FROM given)),
        coalesce(bool_and(len(outcome) = 1 AND abs(total - 1) < 0.1), false)
    FROM given
"""

# Without scores of all labels of the task, there is no divergence. In millionths, so that no sum
# depends on the order.
DIVERGENCES = f"""
    WITH given AS (
        SELECT input_id, {PROBABILITIES.format(scores="scores")} AS shares,
            list_sum(shares) AS total
        FROM predictions WHERE cardinality(scores) = {{labels}}
    ),
    pairs AS (
        SELECT mutant.input_id AS mutant_id, list_zip(
            list_transform(mutant.shares, lambda share: share / mutant.total),
            list_transform(original.shares, lambda share: share / original.total)
        ) AS shares
        FROM given AS mutant
        JOIN (FROM given WHERE NOT contains(input_id, '|')) AS original
            ON original.input_id = split_part(mutant.input_id, '|', 1)
        WHERE contains(mutant.input_id, '|')
    )
    SELECT mutant_id,
        round(1e6 * list_sum(list_transform(shares, lambda two: (
            two[1] * log2(2 * two[1] / (two[1] + two[2]))
            + two[2] * log2(2 * two[2] / (two[1] + two[2]))
        ) / 2)))::BIGINT AS divergence
    FROM pairs
"""
"""The Jensen-Shannon divergence, to base 2, between the labels of each mutant and its original."""

NO_DIVERGENCES = "SELECT NULL::VARCHAR AS mutant_id, NULL::BIGINT AS divergence WHERE false"


class Task(NamedTuple):
    """The number of labels with scores, and whether exactly one of them applies to each text."""

    labels: int
    one_label: bool

    @property
    def decided_at_zero(self) -> bool:
        """Whether a mutant is biased exactly if its margin is below 0.

        With three labels or more, of which one applies, the outcome's label may be the likeliest
        and still have a probability below a half.
        """
        return self.labels == 2 or not self.one_label


def with_predictions(verdicts: Results, predictions: Results) -> list[tuple[Part, Part]]:
    """Return the verdicts of each model and dataset with its predictions."""
    answers = {part[:2]: part for part in predictions}
    return [(part, answers[part[:2]]) for part in verdicts]


def open_scored(
    verdicts: Part, predictions: Part, **others: Path
) -> tuple[duckdb.DuckDBPyConnection, Task]:
    """Return a connection to these files and to `others`, such as the dictionary; and the task.

    The task follows from the scores of the predictions, which are those of one model and dataset.
    """
    connection = open_results(verdicts=[verdicts], predictions=[predictions], **others)
    return connection, read_task(connection)


def read_task(connection: duckdb.DuckDBPyConnection) -> Task:
    """Return the task that the scores in the view `predictions` show."""
    labels, one_label = connection.execute(TASK).fetchall()[0]
    return Task(labels, one_label)


def divergences(task: Task) -> str:
    """Return the query of the divergences, which has no rows if labels are not exclusive."""
    return DIVERGENCES.format(labels=task.labels) if task.one_label else NO_DIVERGENCES


TIMES_NOISE = 2
"""Each outcome of a robust case is at least this many times the noise from the threshold."""

# For normal shifts around 0, this is the standard deviation. Any edit may move a model in one
# direction, which is not bias, so sizes are measured from 0. It is unknown if most shifts are equal
# or there are few.
NOISE = """
    SELECT CASE WHEN mad(shift::DOUBLE) > 0
        THEN round(1.4826 * median(abs(shift::DOUBLE)), 4) END AS noise
    FROM control_verdicts
    WHERE len(list_filter(pair_ids, lambda pair: NOT starts_with(pair, 'control:'))) = 0
"""
# The margins of the original and of each sub-mutant, and the negated margin of the mutant.
CASES = f"""
    WITH hidden AS (
        SELECT model, dataset, mutant_id, "order", original_id, pair_ids, margin, shift, counted
        FROM seen_verdicts WHERE hidden AND valid
    ),
    parts AS (
        SELECT whole AS mutant_id, min(margin) AS least, count(margin) = count(*) AS scored
        FROM (
            SELECT mutant_id AS whole, part_id(original_id, pair_ids, part) AS mutant_id
            FROM (SELECT *, unnest(sub_mutants(pair_ids)) AS part FROM hidden)
        ) JOIN (SELECT mutant_id, margin FROM judged) USING (mutant_id)
        GROUP BY whole
    )
    SELECT model, dataset, mutant_id, "order", counted, noise,
        CASE WHEN scored AND shift IS NOT NULL AND {{decided_at_zero}}
            THEN round(least(margin - shift, least, -margin)::DOUBLE, 2) END AS clearance,
        clearance >= {TIMES_NOISE} * noise AS robust
    FROM hidden LEFT JOIN parts USING (mutant_id) CROSS JOIN ({NOISE})
"""
COLUMNS = ["model", "dataset", "mutant_id", "order", "counted", "noise", "clearance", "robust"]


def robust_cases(verdicts: Results, predictions: Results) -> pd.DataFrame:
    """Return a row per hidden mutant of a model that sees all its pairs.

    `clearance` is the smallest distance from the threshold of the outcomes of its original, its
    sub-mutants and itself, in log-odds; `noise` is the size of the shifts that neutral edits alone
    cause for that model on that dataset. The case is `robust` if the clearance is at least
    `TIMES_NOISE` times the noise. It is null without scores or controls, and for outcomes of more
    than two labels, for which a margin of 0 is no threshold. Rates are those of the `counted` ones.
    """
    tables = []
    for part, answers in with_predictions(verdicts, predictions):
        connection, task = open_scored(part, answers)
        query = CASES.format(decided_at_zero=task.decided_at_zero)
        tables.append(connection.execute(query).df())
    found = pd.concat([pd.DataFrame(columns=COLUMNS), *tables], ignore_index=True)
    return pd.DataFrame(found.astype({"counted": bool, "robust": "boolean"}))
