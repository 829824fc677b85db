"""Algorithm 2 for all mutants of a block of texts at once, factored by sentence.

The verdicts equal those of the literal algorithm run mutant by mutant: a mutant's reason is that
of its first failing sentence in text order, or `SENTENCE_COUNT` where the splitter finds another
number of sentences.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..corpora import Text
from ..mutation import Combination, DictionaryIndex, Substitution, combinations_of, render
from .judging import SentenceJudge
from .local import SHIFTED, UNKNOWN, Codes, LocalKey, LocalSentence, local_keys
from .parsing import Parser
from .reasons import Reason
from .splitting import split_sentences

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Verdicts:
    """The `Reason` codes of all mutants of one combination of one text.

    `codes` has one axis per term, in the order of the term's pairs in the dictionary index.
    """

    text: Text
    combination: Combination
    codes: Codes


@dataclass(frozen=True)
class _Plan:
    """The sentences of a text and what each of its combinations changes in them."""

    text: Text
    sentences: list[str]
    combinations: list[tuple[Combination, list[LocalSentence]]]


def check_block(
    texts: Sequence[Text], *, index: DictionaryIndex, orders: Sequence[int], parser: Parser
) -> Iterator[Verdicts]:
    """Yield the verdicts of every combination of every text, in order.

    Sentences with fewer replaced terms are judged first; one with more is parsed only where the
    mutant's earlier sentences passed as far as they are known.
    """
    plans = [_plan(text, index=index, orders=orders) for text in texts]
    judge = SentenceJudge(parser)
    for replaced in range(1, max(orders, default=0) + 1):
        judge.judge([cell for plan in plans for cell in _needed_cells(plan, replaced=replaced)])
    for plan in plans:
        for combination, parts in plan.combinations:
            codes = _conjunction(combination, parts, index=index)
            for cell in map(tuple, np.argwhere(codes == SHIFTED)):
                mutant = render(plan.text.text, _substitutions(combination, cell, index=index))
                codes[cell] = _whole_reason(plan, mutant, judge=judge)
            yield Verdicts(plan.text, combination, codes)


def _plan(text: Text, *, index: DictionaryIndex, orders: Sequence[int]) -> _Plan:
    spans = split_sentences(text.text)
    sentences = [text.text[start:end] for start, end in spans]
    local: dict[LocalKey, LocalSentence] = {}
    planned = []
    for combination in combinations_of(index.matcher.find(text.text), index=index, orders=orders):
        keys = local_keys(combination, spans)
        for key in keys:
            if key not in local:
                targets = [index.targets(term.attribute, term.source) for term in key.terms]
                offset = spans[key.position][0]
                local[key] = LocalSentence(key, sentences[key.position], offset, targets)
        planned.append((combination, [local[key] for key in keys]))
    return _Plan(text, sentences, planned)


def _needed_cells(plan: _Plan, *, replaced: int) -> Iterator[tuple[LocalSentence, tuple[int, ...]]]:
    """Yield once each unknown cell, with `replaced` terms, that some mutant depends on."""
    needed: dict[LocalKey, tuple[LocalSentence, Mask]] = {}
    for combination, parts in plan.combinations:
        alive: Mask = np.ones([1] * len(combination.terms), dtype=bool)
        for part in parts:
            layer = part.over_axes(combination)
            if len(part.key.terms) == replaced:
                free = tuple(axis for axis, size in enumerate(layer.shape) if size == 1)
                mutants = np.broadcast_to(alive, np.broadcast_shapes(alive.shape, layer.shape))
                wanted = mutants.any(axis=free, keepdims=True).reshape(part.codes.shape)
                _, cells = needed.setdefault(part.key, (part, np.zeros_like(wanted)))
                cells |= wanted & (part.codes == UNKNOWN)
            alive = np.logical_and(alive, np.less_equal(layer, Reason.VALID))
    for part, cells in needed.values():
        for cell in map(tuple, np.argwhere(cells)):
            yield part, cell


def _conjunction(
    combination: Combination, parts: Sequence[LocalSentence], *, index: DictionaryIndex
) -> Codes:
    """Return the first failing code in text order, `SHIFTED` wherever a sentence end moved."""
    shape = [len(index.by_source[term.attribute][term.source]) for term in combination.terms]
    codes = np.full(shape, Reason.VALID, dtype=np.int8)
    shifted = np.zeros(shape, dtype=bool)
    for part in parts:
        layer = part.over_axes(combination)
        codes = np.where(codes == Reason.VALID, layer, codes)
        shifted |= layer == SHIFTED
    codes[shifted] = SHIFTED
    return codes


def _substitutions(
    combination: Combination, cell: tuple[int, ...], *, index: DictionaryIndex
) -> list[Substitution]:
    return [
        Substitution(span, index.targets(term.attribute, term.source)[choice])
        for term, choice in zip(combination.terms, cell, strict=True)
        for span in term.spans
    ]


def _whole_reason(plan: _Plan, mutant: str, *, judge: SentenceJudge) -> Reason:
    """Return the verdict on a mutant whose sentence ends moved: Algorithm 2 on the whole text."""
    mutated = [mutant[start:end] for start, end in split_sentences(mutant)]
    if len(mutated) != len(plan.sentences):
        return Reason.SENTENCE_COUNT
    reasons = judge.reasons(list(zip(plan.sentences, mutated, strict=True)))
    return next((reason for reason in reasons if reason != Reason.VALID), Reason.VALID)
