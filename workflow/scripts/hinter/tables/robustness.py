"""Which hidden bias is robust: all outcomes of the case are far enough from the threshold."""

import pandas as pd

from .rq4.label_scores import open_scored, with_predictions
from .table import Results

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
