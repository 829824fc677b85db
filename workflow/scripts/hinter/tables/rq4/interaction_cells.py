"""The shifts of mutants and those that their sub-mutants predict, counted in cells for a figure."""

from collections.abc import Iterator

import pandas as pd

from ..lines import STEP
from ..shown import each_as, points, shown
from ..table import Part, Results, Table
from .interaction_terms import open_terms
from .label_scores import with_predictions

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


TABLE = Table(
    title="Interactions of attributes: shifts and what predicts them",
    reads=("verdicts", "predictions"),
    only_if=("order 2",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_interaction_cells,
    show=shown(
        "model",
        each_as(points, step="step", additive_from="additive from", joint_from="joint from"),
        *COUNTED,
    ),
    caption=(
        "Mutants of two pairs or more by their shift and by the shift that their sub-mutants "
        "predict (for two pairs, the sum of both atomic shifts), in square cells, and how many of "
        "them have hidden bias. A shift is negative if a mutant moves the model away from the "
        "original's outcome, and positive if it makes the model more certain of it."
    ),
    empty=(
        "Nothing to show: no valid intersectional mutant has scores, as have all its sub-mutants."
    ),
    about="""\
Shifts are in log-odds. On the diagonal, combining attributes adds nothing; below it, mutants move
the model further away from the outcome than the sum of their parts. Darker cells have more mutants;
circles mark cells with hidden bias.
""",
)
