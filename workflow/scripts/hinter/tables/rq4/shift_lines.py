"""Sums of shifts by original, for each line of the table of shifts."""

from pathlib import Path

import pandas as pd

from ..groups import LEVEL
from ..pairing import ENTERS
from ..sources import Part
from .label_scores import divergences, open_scored

TOLD = f"""
    CREATE TABLE told AS
    SELECT original_id, {LEVEL} AS level, attributes, pair_ids,
        round(100 * shift)::BIGINT AS shift, divergence,
        CASE WHEN {{decided_at_zero}} THEN {ENTERS.format(of="v")} END AS near
    FROM listed_verdicts AS v LEFT JOIN ({{divergences}}) USING (mutant_id)
"""

SUMS = """
    count(*) AS n, count(shift) AS scored, coalesce(sum(shift), 0)::BIGINT AS shift,
    coalesce(sum(abs(shift)), 0)::BIGINT AS absolute, count(near) AS benign,
    count(*) FILTER (near) AS near, count(divergence) AS diverging,
    coalesce(sum(divergence), 0)::BIGINT AS divergence
"""
"""Over mutants: shifts are in hundredths, divergences in millionths."""

LINES = f"""
    WITH lines AS (
        SELECT 0 AS place, level, 'all' AS attributes, '' AS source_group, '' AS target_group,
            original_id, {SUMS}
        FROM told GROUP BY ALL
        UNION ALL
        SELECT 1, level, attributes, '', '', original_id, {SUMS}
        FROM told GROUP BY ALL
        UNION ALL
        SELECT 2, level, p.attribute, source_group, target_group, original_id, {SUMS}
        FROM (SELECT * EXCLUDE (pair_ids), unnest(pair_ids) AS pair_id FROM told)
        JOIN pairs AS p USING (pair_id) GROUP BY ALL
    )
    SELECT * EXCLUDE (place) FROM lines
    ORDER BY level, place, attributes, source_group, target_group, original_id
"""


def sum_shifts(verdicts: Part, predictions: Part, *, pairs: Path) -> tuple[pd.DataFrame, int, bool]:
    """Return the `SUMS` of one model on one dataset, and its largest shift, in hundredths.

    The last is whether outcomes are decided at a margin of 0.

    There is a row per line and original: all mutants of a level, those of a combination of
    attributes, and those with a pair from a source to a target group. Mutants of sampled orders are
    left out.
    """
    connection, task = open_scored(verdicts, predictions, pairs=pairs)
    told = TOLD.format(decided_at_zero=task.decided_at_zero, divergences=divergences(task))
    connection.execute(told)
    (largest,) = connection.execute("SELECT coalesce(max(abs(shift)), 0) FROM told").fetchall()[0]
    return connection.execute(LINES).df(), int(largest), task.decided_at_zero
