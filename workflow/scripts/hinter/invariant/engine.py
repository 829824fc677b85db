"""Algorithm 2 for all mutants of a block of texts at once, factored by sentence.

The checks equal those of the literal algorithm, run mutant by mutant.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod

import numpy as np
import numpy.typing as npt

from ..batches import batches_of
from ..corpora import Text
from ..mutation import DictionaryIndex, Operating, combinations_of, compose, plain
from .checks import Cell, Checks
from .comparators import Reason
from .local import SHIFTED, UNKNOWN, LocalKey, LocalSentence, local_keys, over_axes
from .sentence_checks import Invariant, SentenceChecker
from .splitting import sentences_of
from .store import StoredChecks
from .whole_mutants import changed_sentences, check_mutants

Mask = npt.NDArray[np.bool_]
SENTENCES_AT_ONCE = 4096
CHARACTERS_AT_ONCE = 1 << 20
"""The most sentences that are checked at once, and their characters, which bound the memory."""


@dataclass(frozen=True)
class CheckedText:
    """A text with the checks on all its combinations, order by order."""

    text: Text
    checks: list[Checks]

    def parts(self, *, size: int) -> Iterator["CheckedText"]:
        """Yield the text with some combinations at a time: up to this `size`, but at least one.

        The size of a mutant is one more than the number of its edits.
        """
        sized = batches_of(self.checks, length=_size, size=size)
        return (CheckedText(self.text, some) for some in sized)


def _size(checks: Checks) -> int:
    return prod(checks.shape) * (1 + sum(len(term.edit_spans) for term in checks.combination.terms))


def check_block(
    texts: Sequence[Text], *, operating: Operating, orders: Sequence[int], invariant: Invariant
) -> Iterator[CheckedText]:
    """Yield each text with the checks on its combinations of the given `orders`.

    Sentences with fewer replaced terms are checked first. One with more is parsed only if some
    mutant passes in all its other sentences, as far as these are known.
    """
    checker = SentenceChecker(invariant)
    planned = [
        _combinations(text, operating=operating, orders=orders, checker=checker) for text in texts
    ]
    stores = [invariant.store.entry(text.text) for text in texts]
    for replaced in range(1, max(orders, default=0) + 1):
        needed = (
            (stored, part, cell)
            for stored, checks in zip(stores, planned, strict=True)
            for part, cell in _needed_cells(checks, replaced=replaced)
        )
        for cells in batches_of(
            needed,
            length=lambda cell: len(cell[1].sentence.text),
            size=CHARACTERS_AT_ONCE,
            most=SENTENCES_AT_ONCE,
        ):
            reasons = checker.check([(stored, part.change(cell)) for stored, part, cell in cells])
            for (_, part, cell), reason in zip(cells, reasons, strict=True):
                part.codes[cell] = reason
    for text, checks, stored in zip(texts, planned, stores, strict=True):
        moved = [
            _with_moved(check, stored, index=operating.index, checker=checker) for check in checks
        ]
        yield CheckedText(text, moved)
        stored.save()


def _combinations(
    text: Text, *, operating: Operating, orders: Sequence[int], checker: SentenceChecker
) -> list[Checks]:
    index = operating.index
    sentences = sentences_of(plain(text.text))
    starts = np.array([sentence.start for sentence in sentences])
    local: dict[LocalKey, LocalSentence] = {}
    planned = []
    for combination in combinations_of(text.text, orders=orders, substituting=operating):
        keys = local_keys(combination, starts)
        for key in keys:
            if key not in local:
                targets = [index.targets_of(term) for term in key.terms]
                sentence = sentences[key.position]
                passes = sentence.tail and checker.tail_passes
                longest = len(sentence.text) if passes else checker.max_chars
                local[key] = LocalSentence(key, sentence, targets, longest)
        shape = tuple(len(index.positions(term)) for term in combination.terms)
        planned.append(Checks(text, combination, [local[key] for key in keys], shape))
    return planned


def _needed_cells(
    checks: Iterable[Checks], *, replaced: int
) -> Iterator[tuple[LocalSentence, Cell]]:
    """Yield, once each, the unknown cells with `replaced` terms that some mutant depends on."""
    needed: dict[LocalKey, tuple[LocalSentence, Mask]] = {}
    failing = cache(_failing)
    for check in checks:
        if all(len(part.key.terms) != replaced for part in check.parts):
            continue
        failed = [
            failing(part, part.axes(check.combination), len(check.shape)) for part in check.parts
        ]
        failures = sum(failed, start=np.zeros(check.shape, dtype=np.int32))
        for part, own in zip(check.parts, failed, strict=True):
            if len(part.key.terms) == replaced:
                # A mutant whose only failures are in this sentence passes in all others.
                others_pass = failures == own
                # The cells are needed for any choice of the terms in other sentences.
                free = tuple(axis for axis, size in enumerate(own.shape) if size == 1)
                wanted = others_pass.any(axis=free, keepdims=True).reshape(part.codes.shape)
                _, cells = needed.setdefault(part.key, (part, np.zeros_like(wanted)))
                cells |= wanted & (part.codes == UNKNOWN)
    for part, cells in needed.values():
        for cell in np.argwhere(cells).tolist():
            yield part, tuple(cell)


def _failing(part: LocalSentence, axes: tuple[int, ...], terms: int) -> Mask:
    """Return which mutants this sentence alone decides, with `terms` axes (see `over_axes`)."""
    codes = over_axes(part.codes, axes, terms=terms)
    return (codes > Reason.UNCHECKED) | (codes == SHIFTED)


def _with_moved(
    check: Checks, stored: StoredChecks, *, index: DictionaryIndex, checker: SentenceChecker
) -> Checks:
    """Return the checks of a combination, with those on mutants that are compared as a whole."""
    cells, text, terms = check.shifted_cells(), check.text.text, check.combination.terms
    targets = [index.targets_of(term) for term in terms] if cells else []
    mutants = []
    for cell in cells:
        chosen = (own[choice] for own, choice in zip(targets, cell, strict=True))
        edits = compose(text, zip(terms, chosen, strict=True))
        mutants.append((stored, changed_sentences(text, edits)))
    return replace(
        check, moved=dict(zip(cells, check_mutants(mutants, checker=checker), strict=True))
    )
