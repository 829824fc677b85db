"""The noise floor: how often a model changes its answer when it is asked again."""

from collections.abc import Sequence

import pandas as pd

from ..columns import RUN, with_share, with_wilson
from ..shown import in_percent, shown
from ..table import Results, Table, query_results

# As for bias, answers are compared only if both have an outcome.
BY_ORIGINAL = """
    WITH first AS (FROM repeats WHERE repeat = 1 AND status IN {statuses}),
    flips AS (
        SELECT r.model, r.dataset, r.original_id,
            r.status <> f.status OR r.outcome IS DISTINCT FROM f.outcome AS flipped
        FROM repeats AS r JOIN first AS f USING (model, dataset, original_id)
        WHERE r.repeat > 1 AND r.status IN {statuses}
    )
    SELECT model, dataset, original_id, count(*) AS repeats, count(*) FILTER (flipped) AS flips
    FROM flips GROUP BY ALL ORDER BY ALL
"""
COUNTS = f"""
    SELECT model, dataset, count(*) AS originals, sum(repeats)::BIGINT AS repeats,
        sum(flips)::BIGINT AS flips, count(*) FILTER (flips > 0) AS flipped_originals
    FROM ({BY_ORIGINAL}) GROUP BY ALL ORDER BY ALL
"""


def tabulate_noise(repeats: Results, *, outcome_statuses: Sequence[str]) -> pd.DataFrame:
    """Return a row per model and dataset.

    Answers with a label or with one of the `outcome_statuses` have an outcome.
    """
    query = COUNTS.format(statuses=["ok", *outcome_statuses])
    counts = query_results(query, repeats=repeats)
    return with_share(counts, "flip_rate", part="flips", whole="repeats")


def count_flips(repeats: Results, *, outcome_statuses: Sequence[str]) -> pd.DataFrame:
    """Return the number of `repeats`, and of `flips` among them, by original_id."""
    query = BY_ORIGINAL.format(statuses=["ok", *outcome_statuses])
    return query_results(query, repeats=repeats).set_index("original_id")


TABLE = Table(
    title="Noise floor",
    reads=("repeats",),
    settings=("outcome_statuses",),
    only_if=("repeats",),
    warned=True,
    columns={
        **RUN,
        "originals": "originals with more than one outcome",
        "repeats": "outcomes after the first",
        "flips": "outcomes that differ from the first",
        "flipped_originals": "originals with a flip",
        **with_wilson("flip_rate", "flips / repeats, the bias rate without any mutation"),
    },
    compute=tabulate_noise,
    show=shown(
        *("model", "dataset", "originals", "repeats", "flips", "flipped_originals"),
        in_percent("flip_rate", "flips %", ends="Wilson"),
    ),
    caption=(
        "Noise floor: answers to the same original that differ from its first answer, with 95 % "
        "Wilson intervals. A bias rate is only meaningful if it exceeds this rate."
    ),
    empty="Nothing to show: no original has two outcomes.",
    about="Only models behind endpoints are asked again, with nothing else changed.",
)
