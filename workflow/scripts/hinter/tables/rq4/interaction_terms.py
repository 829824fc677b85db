"""The interactions of combined pairs beyond the shifts of their parts, and their cells."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pandas as pd

from ...blocks import OF_BLOCK, blocks_of_originals
from ..groups import STEP
from ..label_scores import open_scored, with_predictions
from ..shown import each_as, points, shown
from ..table import Part, Results, Table

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


CELLS = 32
"""The most cells on each side of 0, which bounds the table."""

COLUMNS = {
    "model": "name of the model",
    "step": "width and height of the model's cells, in log-odds",
    "additive_from": "lower end of the cell: shift that the sub-mutants predict",
    "joint_from": "lower end of the cell: shift of the mutants",
    "mutants": "mutants of two pairs or more in the cell, of all datasets",
    "hidden": "mutants in the cell whose bias is hidden",
}
COUNTED = ["mutants", "hidden"]

# Steps are powers of two in hundredths, so that each step contains a whole number of smaller ones.
COUNTS = """
    SELECT floor(additive / {step})::BIGINT AS additive, floor(joint / {step})::BIGINT AS joint,
        count(*) AS mutants,
        count(*) FILTER (hidden) AS hidden
    FROM terms WHERE interaction IS NOT NULL GROUP BY ALL
"""
LARGEST = "SELECT coalesce(max(greatest(abs(joint), abs(additive))), 0) FROM terms"


def tabulate_interaction_cells(verdicts: Results, predictions: Results) -> pd.DataFrame:
    """Return a row per model and cell, for mutants that have a shift, as have all sub-mutants.

    Cells of a model are squares. Their side, in hundredths, is the smallest power of two for which
    there are at most `CELLS` on each side of 0.
    """
    parts = with_predictions(verdicts, predictions)
    tables = [
        rows.assign(model=model)
        for model in dict.fromkeys(model for model, _, _ in verdicts)
        for rows in _cells([part for part in parts if part[0][0] == model])
    ]
    rows = pd.concat(tables or [pd.DataFrame()], ignore_index=True)
    return rows.reindex(columns=list(COLUMNS))


def _cells(parts: list[tuple[Part, Part]]) -> Iterator[pd.DataFrame]:
    """Yield the cells of a model, given its verdicts and predictions by dataset, if it has any."""
    counted = [_count(*part) for part in parts]
    width = max(step for step, _ in counted)
    places = ["additive", "joint"]
    rows = pd.concat(
        rows.assign(**{name: rows[name] * step // width for name in places})
        for step, rows in counted
    )
    rows = rows.groupby(places)[COUNTED].sum().reset_index()
    if not rows.empty:
        ends = {f"{name}_from": rows[name] * width / STEP for name in places}
        yield rows.assign(step=width / STEP, **ends)


def _count(verdicts: Part, predictions: Part) -> tuple[int, pd.DataFrame]:
    """Return the width of cells in hundredths, and the number of mutants in each."""
    connection = open_terms(verdicts, predictions)
    (largest,) = connection.execute(LARGEST).fetchall()[0]
    step = 1 << (largest // CELLS).bit_length()
    return step, connection.execute(COUNTS.format(step=step)).df()


INTERACTION_CELLS = Table(
    title="Interactions of attributes: shifts and what predicts them",
    only_if=("order 2",),
    columns=COLUMNS,
    compute=tabulate_interaction_cells,
    show=shown(
        "model",
        each_as(points, step="step", additive_from="additive from", joint_from="joint from"),
        *COUNTED,
    ),
    empty=(
        "Nothing to show: no valid intersectional mutant has scores, as have all its sub-mutants."
    ),
    text="""\
Mutants of two pairs or more by their shift and by the shift that their sub-mutants predict (for two
pairs, the sum of both atomic shifts), in square cells, and how many of them have hidden bias. A
shift is negative if a mutant moves the model away from the original's outcome, and positive if it
makes the model more certain of it.

Shifts are in log-odds. On the diagonal, combining attributes adds nothing; below it, mutants move
the model further away from the outcome than the sum of their parts. Darker cells have more mutants;
circles mark cells with hidden bias.
""",
)
