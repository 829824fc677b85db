"""The comparators' checks of the annotated mutants, for results/assessed.parquet."""

from collections.abc import Sequence

import pyarrow as pa

from ..invariant import Comparator, Invariant
from ..mutants import compare_mutants
from .assessed_mutants import AssessedMutant

ASSESSED_SCHEMA = pa.schema(
    [
        ("sample", pa.string()),
        ("dataset", pa.string()),
        ("half", pa.string()),
        ("mutant_id", pa.string()),
        ("original_id", pa.string()),
        ("order", pa.int8()),
        ("stratum", pa.string()),
        ("weight", pa.float64()),
        ("grammar", pa.bool_()),
        ("meaning", pa.bool_()),
        ("sound", pa.bool_()),
        ("people", pa.int16()),
        ("about_operator", pa.string()),
        *((comparator.value, pa.string()) for comparator in Comparator),
    ]
)
OWN = ("sample", "dataset", "half", "mutant_id", "stratum", "weight", "people", "about_operator")
"""The columns that are fields of a mutant."""


def check_assessed(
    assessed: Sequence[AssessedMutant], *, invariants: Sequence[Invariant]
) -> pa.Table:
    """Return a row per annotated mutant: its sample, its annotation, and each comparator's check.

    `people` is the number of people who decided, or 0 if language models did. `about_operator` is
    the kind of substitution on which it is evidence for other texts. A check is `valid`,
    `unchecked` or the reason for discarding. Only the changed sentences are checked, with the same
    result as for the whole text, as all other sentences pass. `invariants` has one invariant per
    comparator.
    """
    rows = [
        {
            **{name: getattr(mutant, name) for name in OWN},
            "original_id": mutant.mutant.original_id,
            "order": len(mutant.pairs),
            **mutant.final._asdict(),
            "sound": mutant.final.sound,
        }
        for mutant in assessed
    ]
    said = compare_mutants([each.mutant for each in assessed], invariants=invariants)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return pa.table({**columns, **said}, schema=ASSESSED_SCHEMA)
