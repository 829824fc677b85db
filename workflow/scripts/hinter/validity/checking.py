"""What the comparators say of the judged mutants: results/validity.parquet."""

from collections.abc import Sequence

import pyarrow as pa

from ..invariant import Comparator, Invariant
from ..mutants import Recipe, compare_mutants
from .judgments import Judgment

VALIDITY_SCHEMA = pa.schema(
    [
        ("mutant_id", pa.string()),
        ("original_id", pa.string()),
        ("order", pa.int8()),
        ("stratum", pa.string()),
        ("weight", pa.float64()),
        ("grammar", pa.bool_()),
        ("meaning", pa.bool_()),
        ("survives", pa.bool_()),
        *((comparator.value, pa.string()) for comparator in Comparator),
    ]
)


def check_judged(judgments: Sequence[Judgment], *, invariants: Sequence[Invariant]) -> pa.Table:
    """Return a row per judged mutant: how it was drawn and judged, what each comparator says.

    A comparator says `valid`, `unchecked` or the reason for which it discards. It is given what
    the mutant changes, which decides the same as the whole text: other sentences pass. `invariants`
    holds one per comparator.
    """
    recipes = [Recipe(judgment.original, judgment.pairs) for judgment in judgments]
    rows = [
        {
            "mutant_id": judgment.mutant_id,
            "original_id": judgment.original_id,
            "order": len(judgment.pairs),
            "stratum": judgment.stratum,
            "weight": judgment.weight,
            "grammar": judgment.final.grammar,
            "meaning": judgment.final.meaning,
            "survives": judgment.final.survives,
        }
        for judgment in judgments
    ]
    said = compare_mutants(recipes, invariants=invariants)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return pa.table({**columns, **said}, schema=VALIDITY_SCHEMA)
