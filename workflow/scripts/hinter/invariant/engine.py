"""Algorithm 2 for all mutants of a block of texts at once, factored by sentence.

Which mutants are valid equals the literal algorithm run mutant by mutant.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod

import numpy as np
import numpy.typing as npt

from ..batches import batches_of
from ..corpora import Text
from ..mutation import (
    Combination,
    DictionaryIndex,
    Literal,
    Substituting,
    Substitution,
    combinations_of,
)
from .judging import SentenceJudge
from .local import SHIFTED, UNKNOWN, LocalKey, LocalSentence, local_keys, over_axes
from .reasons import Reason
from .sentences import sentences_of
from .settings import Invariant
from .store import StoredVerdicts
from .verdicts import Cell, Verdicts
from .whole_mutants import WholeMutant, check_mutants

Mask = npt.NDArray[np.bool_]
SENTENCES_AT_ONCE = 4096
CHARACTERS_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class CheckedText:
    """A text with the verdicts of all its combinations, order by order."""

    text: Text
    verdicts: list[Verdicts]

    def parts(self, *, mutants: int) -> Iterator["CheckedText"]:
        """Yield the text with the combinations of `mutants` mutants, or of just one, at a time."""
        sized = batches_of(self.verdicts, length=lambda item: prod(item.shape), size=mutants)
        return (CheckedText(self.text, some) for some in sized)


@dataclass(frozen=True)
class _Plan:
    """A text, its combinations, and what is known of its changes."""

    text: Text
    verdicts: list[Verdicts]
    stored: StoredVerdicts


def check_block(
    texts: Sequence[Text],
    *,
    index: DictionaryIndex,
    orders: Sequence[int],
    invariant: Invariant,
    substituting: Substituting | None = None,
) -> Iterator[CheckedText]:
    """Yield the verdicts of every combination of every text, in order.

    Terms are substituted literally where it is not said how.

    Sentences with fewer replaced terms are judged first; one with more is parsed only where some
    mutant has passed in all its other sentences, as far as they are known.
    """
    judge = invariant.judge()
    plans = [
        _Plan(
            text,
            _combinations(
                text,
                index=index,
                orders=orders,
                max_chars=judge.max_chars,
                substituting=substituting or Literal(index),
            ),
            invariant.store.entry(text.text),
        )
        for text in texts
    ]
    for replaced in range(1, max(orders, default=0) + 1):
        needed = (
            (plan.stored, part, cell)
            for plan in plans
            for part, cell in _needed_cells(plan.verdicts, replaced=replaced)
        )
        for cells in batches_of(
            needed,
            length=lambda cell: len(cell[1].sentence.text),
            size=CHARACTERS_AT_ONCE,
            most=SENTENCES_AT_ONCE,
        ):
            _judge_cells(cells, judge=judge)
    for plan in plans:
        yield CheckedText(plan.text, _with_moved(plan, index=index, judge=judge))
        plan.stored.save()


def _combinations(
    text: Text,
    *,
    index: DictionaryIndex,
    orders: Sequence[int],
    max_chars: int,
    substituting: Substituting,
) -> list[Verdicts]:
    sentences = sentences_of(text.text)
    starts = np.array([sentence.start for sentence in sentences])
    local: dict[LocalKey, LocalSentence] = {}
    planned = []
    for combination in combinations_of(text.text, orders=orders, substituting=substituting):
        keys = local_keys(combination, starts)
        for key in keys:
            if key not in local:
                targets = [index.targets(term.attribute, term.source) for term in key.terms]
                local[key] = LocalSentence(key, sentences[key.position], targets, max_chars)
        shape = tuple(
            len(index.by_source[term.attribute][term.source]) for term in combination.terms
        )
        planned.append(Verdicts(text, combination, [local[key] for key in keys], shape))
    return planned


def _needed_cells(
    verdicts: Iterable[Verdicts], *, replaced: int
) -> Iterator[tuple[LocalSentence, Cell]]:
    """Yield once each unknown cell, with `replaced` terms, that some mutant depends on."""
    needed: dict[LocalKey, tuple[LocalSentence, Mask]] = {}
    failing = cache(_failing)
    for verdict in verdicts:
        if all(len(part.key.terms) != replaced for part in verdict.parts):
            continue
        failed = [
            failing(part, part.axes(verdict.combination), len(verdict.shape))
            for part in verdict.parts
        ]
        failures = sum(failed, start=np.zeros(verdict.shape, dtype=np.int32))
        for part, own in zip(verdict.parts, failed, strict=True):
            if len(part.key.terms) == replaced:
                others_pass = failures == own
                free = tuple(axis for axis, size in enumerate(own.shape) if size == 1)
                wanted = others_pass.any(axis=free, keepdims=True).reshape(part.codes.shape)
                _, cells = needed.setdefault(part.key, (part, np.zeros_like(wanted)))
                cells |= wanted & (part.codes == UNKNOWN)
    for part, cells in needed.values():
        for cell in np.argwhere(cells).tolist():
            yield part, tuple(cell)


def _failing(part: LocalSentence, axes: tuple[int, ...], terms: int) -> Mask:
    """Return where the mutants of a combination of so many terms need no other sentence."""
    codes = over_axes(part.codes, axes, terms=terms)
    mask: Mask = (codes > Reason.UNCHECKED) | (codes == SHIFTED)
    return mask


def _judge_cells(
    cells: Sequence[tuple[StoredVerdicts, LocalSentence, Cell]], *, judge: SentenceJudge
) -> None:
    asked = [(stored, part.change(cell)) for stored, part, cell in cells]
    reasons = judge.judge(asked)
    for (_, part, cell), reason in zip(cells, reasons, strict=True):
        part.codes[cell] = reason


def _with_moved(plan: _Plan, *, index: DictionaryIndex, judge: SentenceJudge) -> list[Verdicts]:
    """Return the verdicts with those on mutants that must be compared as wholes."""
    completed = []
    for verdict in plan.verdicts:
        cells = verdict.shifted_cells()
        mutants = [
            WholeMutant(
                plan.text.text, _placed(verdict.combination, cell, index=index), plan.stored
            )
            for cell in cells
        ]
        moved = dict(zip(cells, check_mutants(mutants, judge=judge), strict=True))
        completed.append(replace(verdict, moved=moved))
    return completed


def _placed(
    combination: Combination, cell: Cell, *, index: DictionaryIndex
) -> list[list[Substitution]]:
    return [
        [
            Substitution(place, index.targets(term.attribute, term.source)[choice])
            for place in term.places
        ]
        for term, choice in zip(combination.terms, cell, strict=True)
    ]
