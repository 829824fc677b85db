"""The files that checked texts make: their mutants, the numbers of these, and rulings on words.

These are results/mutants, results/counts and results/occurrences, each with a file per dataset.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..corpora import Text
from ..invariant import CheckedText, Checks, Reason
from ..mutation import RECIPE_SCHEMA, DictionaryIndex, Ruling
from .edit_rows import EditRows

MUTANTS_SCHEMA = pa.schema(
    [*RECIPE_SCHEMA, ("valid", pa.bool_()), ("reason", pa.string()), ("sampled", pa.bool_())]
)
SUITE_SCHEMA = pa.schema(
    [field for field in MUTANTS_SCHEMA if field.name != "reason"] + [("control", pa.bool_())]
)
"""The columns of results/suites; `control` is true for mutants with neutral pairs."""
COUNTS_SCHEMA = pa.schema(
    [
        ("original_id", pa.string()),
        ("order", pa.int8()),
        ("attributes", pa.string()),
        ("reason", pa.string()),
        ("operator", pa.string()),
        ("mutants", pa.int64()),
    ]
)
OCCURRENCES_SCHEMA = pa.schema(
    [
        ("original_id", pa.string()),
        ("operator", pa.string()),
        ("attribute", pa.string()),
        ("source", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("rule", pa.string()),
        ("targets", pa.int32()),
    ]
)
REASON_NAMES = pa.array(
    [None if reason == Reason.VALID else reason.name.lower() for reason in Reason]
)
VALIDITY = pa.array(
    [None if reason == Reason.UNCHECKED else reason == Reason.VALID for reason in Reason]
)


class Selection(NamedTuple):
    """Some mutants of one combination, by their positions in its flattened checks.

    `sampled` is None if a study lists all mutants of the order. If it samples some, `sampled` is
    true for these and false for their sub-mutants.
    """

    checks: Checks
    positions: npt.NDArray[np.int64]
    sampled: bool | None = None


def list_orders(
    texts: Iterable[CheckedText], *, orders: Sequence[int], index: DictionaryIndex
) -> pa.Table:
    """Return a row per mutant of the given orders, text by text."""
    listed = (
        Selection(checks, np.arange(prod(checks.shape)))
        for checked in texts
        for checks in checked.checks
        if len(checks.shape) in orders
    )
    return list_mutants(listed, index=index)


def list_mutants(selections: Iterable[Selection], *, index: DictionaryIndex) -> pa.Table:
    """Return a row per selected mutant, in the order given.

    A mutant_id has the form `original_id|pair_id|pair_id`; that of a sub-mutant has fewer pair_ids.
    """
    selected = [selection for selection in selections if len(selection.positions)]
    if not selected:
        return MUTANTS_SCHEMA.empty_table()
    combinations = [selection.checks.combination for selection in selected]
    edits = EditRows(index)
    for checks, positions, _ in selected:
        choices = np.unravel_index(positions, checks.shape)
        edits.add(checks.text.text, checks.combination.terms, choices)
    sizes = [len(selection.positions) for selection in selected]
    orders = np.repeat([len(combination.terms) for combination in combinations], sizes)
    rows = pa.array(np.repeat(np.arange(len(selected)), sizes))
    original_ids = _strings(item.checks.text.original_id for item in selected).take(rows)
    pair_ids = index.pair_ids.take(
        pa.array(np.concatenate([_pairs(selection, index=index) for selection in selected]))
    )
    offsets = pa.array(np.concatenate([[0], np.cumsum(orders)]).astype(np.int32))
    recipes = pa.ListArray.from_arrays(offsets, pair_ids)
    codes = pa.array(
        np.concatenate([item.checks.codes.ravel()[item.positions] for item in selected])
    )
    return pa.Table.from_arrays(
        [
            pc.binary_join_element_wise(original_ids, pc.binary_join(recipes, "|"), "|"),
            original_ids,
            pa.array(orders.astype(np.int8)),
            _strings("+".join(item.attributes) for item in combinations).take(rows),
            recipes,
            pa.repeat(pa.scalar(index.operator, pa.string()), len(rows)),
            edits.column(),
            _strings(item.one_person for item in combinations).take(rows),
            VALIDITY.take(codes),
            REASON_NAMES.take(codes),
            pa.array([item.sampled for item in selected], type=pa.bool_()).take(rows),
        ],
        schema=MUTANTS_SCHEMA,
    )


def _strings(values: Iterable[str | None]) -> pa.Array:
    return pa.array(list(values), type=pa.string())


def _pairs(selection: Selection, *, index: DictionaryIndex) -> npt.NDArray[np.int32]:
    """Return the positions of each mutant's pairs in the dictionary, mutant after mutant."""
    choices = np.unravel_index(selection.positions, selection.checks.shape)
    terms = selection.checks.combination.terms
    columns = [index.positions(term)[choice] for term, choice in zip(terms, choices, strict=True)]
    return np.stack(columns, axis=-1).ravel()


def count_mutants(texts: Iterable[CheckedText], *, operator: str | None) -> pa.Table:
    """Return the number of an operator's mutants by text, order, attributes and reason.

    The reason is null for valid mutants.

    The numbers are exact for every checked order, whether or not its mutants are listed.
    """
    rows = [
        {
            "original_id": checked.text.original_id,
            "order": len(attributes),
            "attributes": "+".join(attributes),
            "reason": REASON_NAMES[reason].as_py(),
            "operator": operator,
            "mutants": count,
        }
        for checked in texts
        for attributes, counts in _by_attributes(checked).items()
        for reason, count in enumerate(counts.tolist())
        if count
    ]
    return pa.Table.from_pylist(rows, schema=COUNTS_SCHEMA)


def _by_attributes(checked: CheckedText) -> dict[tuple[str, ...], npt.NDArray[np.int64]]:
    totals: dict[tuple[str, ...], npt.NDArray[np.int64]] = {}
    for check in checked.checks:
        total = totals.setdefault(
            check.combination.attributes, np.zeros(len(Reason), dtype=np.int64)
        )
        total += check.counts()
    return totals


def list_rulings(text: Text, rulings: Iterable[Ruling], *, index: DictionaryIndex) -> pa.Table:
    """Return a row per ruling on a text, from left to right."""
    rows = [
        {
            "original_id": text.original_id,
            "operator": index.operator,
            "attribute": attribute,
            "source": source,
            "start": span[0],
            "end": span[1],
            "rule": ruling.rule,
            "targets": 0 if ruling.rule else len(index.positions(ruling.term)),
        }
        for ruling in rulings
        for attribute, source, span, _ in [ruling.occurrence]
    ]
    rows.sort(key=lambda row: tuple(row[name] for name in ("start", "end", "attribute", "source")))
    return pa.Table.from_pylist(rows, schema=OCCURRENCES_SCHEMA)
