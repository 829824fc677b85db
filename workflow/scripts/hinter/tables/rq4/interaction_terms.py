"""The interaction of combined pairs beyond the shifts of their parts, by inclusion-exclusion."""

from pathlib import Path

import duckdb

from ...blocks import OF_BLOCK, blocks_of_originals
from ..table import Part
from .label_scores import open_scored

PARTS_AT_ONCE = 2_000_000
"""About how many subsets of pairs are looked up at once, so that memory does not grow with the
study."""

# Each sub-mutant of a mutant, and the sign of its shift in the prediction: for three pairs, the
# shifts of two pairs minus those of one.
PARTS = """
    SELECT mutant_id, if(("order" - bit_count(part)) % 2 = 1, 1, -1) AS sign,
        part_id(original_id, pair_ids, part) AS part_id
    FROM (
        SELECT mutant_id, original_id, pair_ids, "order", unnest(sub_mutants(pair_ids)) AS part
        FROM wholes
    )
"""

WHOLES = f"""
    SELECT mutant_id, control, original_id, "order", attributes, one_person, pair_ids, biased,
        hidden, NOT biased AND len(minimal_subsets) > 0 AS masked,
        round(100 * shift)::BIGINT AS joint, round(100 * margin)::BIGINT AS margin
    FROM (FROM counted_verdicts UNION ALL BY NAME FROM control_verdicts)
    WHERE "order" >= 2 AND complete AND {OF_BLOCK}
"""

ADDED = f"""
    SELECT parts.mutant_id, sum(sign * round(100 * shift))::BIGINT AS additive
    FROM parts JOIN judged AS part ON part.mutant_id = part_id
    WHERE part.valid AND {OF_BLOCK} GROUP BY parts.mutant_id HAVING bool_and(shift IS NOT NULL)
"""

TERMS = """
    SELECT mutant_id, control, original_id, "order", attributes, one_person, hidden, masked,
        if(additive IS NULL, NULL, joint) AS joint, if(joint IS NULL, NULL, additive) AS additive,
        joint - additive AS interaction,
        CASE WHEN {decided_at_zero} THEN margin - joint + additive < 0 END AS predicted
    FROM wholes LEFT JOIN added USING (mutant_id)
"""


def open_terms(verdicts: Part, predictions: Part, **others: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with the views `terms` and `control_terms`, of one model on one dataset.

    They have a row per counted and complete mutant, or control, of two pairs or more: `joint` is
    its shift, `additive` the shift that its sub-mutants predict, and `interaction` the difference:
    the inclusion-exclusion (Moebius) sum over the non-empty subsets of its N pairs of
    (-1)^(N - size) times the shift of the subset. All are in hundredths, and null if any of these
    shifts is missing. `predicted` is true if the additive part alone would change the outcome,
    since the original's margin plus this part is below 0 (null also if the outcome is not decided
    at a margin of 0). There is also a view of each of the `others`.
    """
    connection, task = open_scored(verdicts, predictions, **others)
    for name, query in (("wholes", WHOLES), ("parts", PARTS), ("added", ADDED)):
        connection.execute(f"CREATE VIEW {name} AS {query}")
    terms = TERMS.format(decided_at_zero=task.decided_at_zero)
    connection.execute(f"CREATE TABLE all_terms AS FROM ({terms}) LIMIT 0")
    # All parts of a mutant have its original, so blocks of originals can be treated separately.
    for _ in blocks_of_originals(
        connection, rows="verdicts", size='sum(1 << "order")', at_once=PARTS_AT_ONCE
    ):
        connection.execute(f"INSERT INTO all_terms {terms}")
    connection.execute("CREATE VIEW terms AS FROM all_terms WHERE NOT control")
    connection.execute("CREATE VIEW control_terms AS FROM all_terms WHERE control")
    return connection
