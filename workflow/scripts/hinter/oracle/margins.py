"""How far each answer is on the side of its original's outcome: the margins behind shifts."""

from ..blocks import INPUTS_OF_BLOCK

# How far scores are on the side of an outcome: the smallest, over all labels, of the log-odds that
# the label applies, if it is in the outcome, or that it does not. Where labels exclude each other,
# this is the score of the outcome's label. Null where a label of the outcome has no score.
MARGIN = """
    CASE WHEN list_has_all(map_keys(scores), originals.outcome) THEN list_min(list_transform(
        map_entries(scores),
        lambda label: if(list_contains(originals.outcome, label.key), label.value, -label.value)
    )) END
"""

# Scores only pass through: those of a hundred labels would take more memory than all else.
GIVEN = f"(FROM read_parquet('{{predictions}}') WHERE {INPUTS_OF_BLOCK})"

ORIGINALS = f"""
    SELECT input_id AS original_id, status, outcome, {MARGIN} AS margin
    FROM {GIVEN} AS originals WHERE NOT contains(input_id, '|')
"""
ANSWERS = f"""
    SELECT input_id, given.status, given.outcome, visible_order, {MARGIN} AS margin
    FROM {GIVEN} AS given JOIN originals ON split_part(input_id, '|', 1) = original_id
"""
