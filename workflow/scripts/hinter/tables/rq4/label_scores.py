"""What the scores of labels tell of a task, and how far two distributions of labels lie apart."""

from pathlib import Path
from typing import NamedTuple

import duckdb

from ..table import Part, Results, open_results

# A score of -700 is a probability of 0 in any sum; below that, a number would not hold it.
PROBABILITIES = """
    list_transform(
        list_sort(map_entries({scores})),
        lambda label: 1 / (1 + exp(-greatest(label.value, -700)))
    )
"""
"""The probabilities of labels in the order of their names, given their log-odds."""

# Of labels that exclude each other, probabilities add up to 1; rounding changes this by less than
# a tenth.
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

# Distributions are over all labels of the task, or there is no divergence. In millionths, so that
# no sum depends on an order.
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
    """How many labels have scores, and whether one of them applies to each text."""

    labels: int
    one_label: bool

    @property
    def decided_at_zero(self) -> bool:
        """Whether a mutant is biased exactly where its margin is below 0.

        With one of three labels or more, the outcome's label may be the likeliest, and yet be less
        likely than not.
        """
        return self.labels == 2 or not self.one_label


def with_predictions(verdicts: Results, predictions: Results) -> list[tuple[Part, Part]]:
    """Return the verdicts of each model and dataset with its predictions."""
    answers = {part[:2]: part for part in predictions}
    return [(part, answers[part[:2]]) for part in verdicts]


def open_scored(
    verdicts: Part, predictions: Part, *, pairs: Path | None = None
) -> tuple[duckdb.DuckDBPyConnection, Task]:
    """Return a connection to these files, and to the dictionary as the view `pairs`; and the task.

    The task is what the scores of the predictions, which are of one model and dataset, tell.
    """
    connection = open_results(verdicts=[verdicts], predictions=[predictions])
    if pairs is not None:
        connection.execute(f"CREATE VIEW pairs AS FROM read_csv('{pairs}', all_varchar = true)")
    return connection, read_task(connection)


def read_task(connection: duckdb.DuckDBPyConnection) -> Task:
    """Return what the scores in the view `predictions` tell."""
    labels, one_label = connection.execute(TASK).fetchall()[0]
    return Task(labels, one_label)


def divergences(task: Task) -> str:
    """Return the query of the divergences, none where labels do not exclude each other."""
    return DIVERGENCES.format(labels=task.labels) if task.one_label else NO_DIVERGENCES
