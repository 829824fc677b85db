"""Algorithm 2 on a whole mutant, for those that the sentence-by-sentence way does not reach."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from ..mutation import Span, Substitution, render_with_spans
from .changes import Change
from .reasons import Reason
from .splitting import split_sentences


class ChangedSentence(NamedTuple):
    """A sentence that a mutant changes; `terms` is how many of its terms are replaced in it."""

    terms: int
    change: Change


def changed_sentences(
    original: str, placed: Sequence[Sequence[Substitution]]
) -> list[ChangedSentence] | None:
    """Return the sentences that a mutant changes, in text order.

    `placed` are the substitutions of each of the mutant's pairs. None where the splitter finds
    another number of sentences in the mutant.
    """
    mutant, spans = render_with_spans(original, chain.from_iterable(placed))
    sentences, mutated = split_sentences(original), split_sentences(mutant)
    if len(sentences) != len(mutated):
        return None
    changed = []
    for before, after in zip(sentences, mutated, strict=True):
        replaced = [span for span in spans if _starts_in(span, before)]
        replacing = [span for span in spans.values() if _starts_in(span, after)]
        change = Change(
            original[slice(*before)],
            mutant[slice(*after)],
            _relative(replaced, before),
            _relative(replacing, after),
        )
        if change.original != change.mutated:
            terms = [
                any(_starts_in(spans[place.span], after) for place in places) for places in placed
            ]
            changed.append(ChangedSentence(sum(terms), change))
    return changed


def whole_reason(sentences: Sequence[tuple[int, Reason]]) -> Reason:
    """Return a mutant's verdict, given the terms and the verdict of each changed sentence.

    Where several fail, the one with fewest replaced terms counts, and of these the first.
    """
    failing = [(terms, reason) for terms, reason in sentences if reason.discards]
    if failing:
        return min(failing, key=lambda sentence: sentence[0])[1]
    return max((reason for _, reason in sentences), default=Reason.VALID)


def _starts_in(span: Span, sentence: Span) -> bool:
    return sentence[0] <= span[0] < sentence[1]


def _relative(spans: Sequence[Span], sentence: Span) -> tuple[Span, ...]:
    return tuple((start - sentence[0], end - sentence[0]) for start, end in spans)
