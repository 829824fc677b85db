"""The files that checked texts make: their mutants, and the numbers of these.

These are results/mutants and results/counts, each with a file per dataset.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..invariant import CheckedText, Checks, Reason
from ..mutation import EDITS, RECIPE_SCHEMA, DictionaryIndex, Edit, Role, SpannedTerm, compose

Numbers = npt.NDArray[np.int64]

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
    positions: Numbers
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
    edits, pairs = EditRows(index), []
    for checks, positions, _ in selected:
        choices, terms = np.unravel_index(positions, checks.shape), checks.combination.terms
        edits.add(checks.text.text, terms, choices)
        chosen = zip(terms, choices, strict=True)
        columns = [index.positions(term)[choice] for term, choice in chosen]
        pairs.append(np.stack(columns, axis=-1).ravel())
    sizes = [len(selection.positions) for selection in selected]
    orders = np.repeat([len(combination.terms) for combination in combinations], sizes)
    rows = pa.array(np.repeat(np.arange(len(selected)), sizes))
    original_ids = _strings(item.checks.text.original_id for item in selected).take(rows)
    pair_ids = index.pair_ids.take(pa.array(np.concatenate(pairs)))
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


class EditRows:
    """The edits of mutants, which are added one combination at a time.

    A mutant is a row with the numbers of its edits.
    """

    def __init__(self, index: DictionaryIndex) -> None:
        self._index = index
        self._known: dict[tuple[str, SpannedTerm], Numbers] = {}
        self._edits: list[Edit] = []
        self._rows: list[Numbers] = []

    def add(self, original: str, terms: Sequence[SpannedTerm], choices: Iterable[Numbers]) -> None:
        """Add mutants of some terms, with the number of the target of each, term by term."""
        roles = {one.role for term in terms for one in term.edit_spans}
        # Edits of several descriptors depend on each other, as they are at one mention.
        if len(terms) > 1 and Role.DESCRIPTOR in roles:
            targets = [self._index.targets_of(term) for term in terms]
            mutants = [
                [of_term[choice] for of_term, choice in zip(targets, cell, strict=True)]
                for cell in np.stack([*choices], axis=-1).tolist()
            ]
            self._rows.append(self._numbered(original, terms, mutants))
            return
        apart = (
            self._of_term(original, term)[chosen]
            for term, chosen in zip(terms, choices, strict=True)
        )
        numbers = np.concatenate([*apart], axis=-1)
        starts = [self._edits[number].start for number in numbers[0]]
        self._rows.append(numbers[:, np.argsort(starts, kind="stable")])

    def column(self) -> pa.ListArray:
        """Return the edits of each mutant, in the order in which they were added."""
        sizes = np.concatenate([np.full(*numbers.shape) for numbers in self._rows])
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
        numbers = np.concatenate([numbers.ravel() for numbers in self._rows])
        fields = list(EDITS.value_type)
        columns = zip(zip(*self._edits, strict=True), fields, strict=True)
        edits = pa.StructArray.from_arrays(
            [pa.array(column, type=field.type) for column, field in columns], fields=fields
        )
        return pa.ListArray.from_arrays(pa.array(offsets), edits.take(pa.array(numbers)))

    def _of_term(self, original: str, term: SpannedTerm) -> Numbers:
        """Return the numbers of the edits of a term, in a row for each of its targets."""
        if (original, term) not in self._known:
            targets = [[target] for target in self._index.targets_of(term)]
            self._known[original, term] = self._numbered(original, [term], targets)
        return self._known[original, term]

    def _numbered(
        self, original: str, terms: Sequence[SpannedTerm], mutants: Iterable[Sequence[str]]
    ) -> Numbers:
        """Add the edits of mutants with these targets, and return their numbers, row by row."""
        composed = [compose(original, zip(terms, targets, strict=True)) for targets in mutants]
        first, shape = len(self._edits), (len(composed), len(composed[0]))
        self._edits += chain.from_iterable(composed)
        return np.arange(first, len(self._edits)).reshape(shape)


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


def _by_attributes(checked: CheckedText) -> dict[tuple[str, ...], Numbers]:
    totals: dict[tuple[str, ...], Numbers] = {}
    for check in checked.checks:
        total = totals.setdefault(
            check.combination.attributes, np.zeros(len(Reason), dtype=np.int64)
        )
        total += check.counts()
    return totals
