"""Algorithm 2 on whole mutants, for single mutants and for moved sentence ends."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ..mutation import Edit, Span, plain, render
from .comparators import Change, Reason
from .sentence_checks import SentenceChecker
from .splitting import Sentence, is_tail, sentences_of, split_part, split_sentences
from .store import StoredChecks


class ChangedSentence(NamedTuple):
    """A sentence that a mutant changes; `terms` is the number of terms replaced in it."""

    terms: int
    change: Change


def changed_sentences(original: str, edits: Sequence[Edit]) -> list[ChangedSentence] | None:
    """Return the sentences that the edits of a mutant change, in text order.

    Returns None if the mutant has a different number of sentences. Only the sentences with edits
    are split again, as long as no edit moves a sentence end.
    """
    sentences, starts = _split(original)
    inside = defaultdict[int, list[Edit]](list)
    for edit in edits:
        inside[bisect_right(starts, edit.start) - 1].append(edit)
    changed = []
    for position, own in inside.items():
        found = _change_within(sentences[position], own)
        if found is None:
            return split_whole(original, edits)
        if found.original != found.mutated:
            changed.append(ChangedSentence(len({edit.attribute for edit in own}), found))
    return changed


# Consecutive mutants have the same original.
@lru_cache(maxsize=4)
def _split(text: str) -> tuple[list[Sentence], list[int]]:
    """Return the sentences of an original, and their starts."""
    sentences = sentences_of(plain(text))
    return sentences, [sentence.start for sentence in sentences]


def _change_within(sentence: Sentence, edits: Sequence[Edit]) -> Change | None:
    """Return the change of a sentence, or None if it may move a sentence end of its text."""
    if edits[-1].end > sentence.start + len(sentence.text):
        return None
    mutated, spans = render(sentence.text, (edit.moved(-sentence.start) for edit in edits))
    if split_part(mutated, goes_on=sentence.ends_by_word)[:1] != [(0, len(mutated))]:
        return None
    return Change(sentence.text, mutated, tuple(spans), tuple(spans.values()), sentence.tail)


def split_whole(original: str, edits: Sequence[Edit]) -> list[ChangedSentence] | None:
    """Return the same as `changed_sentences`, for any mutant, by splitting both texts."""
    original = plain(original)
    mutant, spans = render(original, edits)
    before, after = split_sentences(original), split_sentences(mutant)
    if len(before) != len(after):
        return None
    changed = []
    for old, new in zip(before, after, strict=True):
        sentence, mutated = original[slice(*old)], mutant[slice(*new)]
        if sentence != mutated:
            terms = {edit.attribute for edit in edits if _is_in(spans[edit.start, edit.end], new)}
            replaced, replacing = _relative(spans, old), _relative(spans.values(), new)
            tail = old == before[-1] and is_tail(sentence)
            change = Change(sentence, mutated, replaced, replacing, tail)
            changed.append(ChangedSentence(len(terms), change))
    return changed


def _is_in(span: Span, sentence: Span) -> bool:
    return sentence[0] <= span[0] < sentence[1]


def _relative(spans: Iterable[Span], sentence: Span) -> tuple[Span, ...]:
    """Return the spans in a sentence, by their positions in it."""
    own = (span for span in spans if _is_in(span, sentence))
    return tuple((start - sentence[0], end - sentence[0]) for start, end in own)


def check_mutants(
    mutants: Sequence[tuple[StoredChecks, Sequence[ChangedSentence] | None]],
    *,
    checker: SentenceChecker,
) -> list[Reason]:
    """Return the check on each mutant; the sentences of all are checked together.

    Each mutant is given by its `changed_sentences` and the stored checks of its text.
    """
    changes = [
        (stored, sentence.change) for stored, sentences in mutants for sentence in sentences or []
    ]
    reasons = iter(checker.check(changes))
    return [
        Reason.SENTENCE_COUNT
        if sentences is None
        else _conjunction(sentences, list(islice(reasons, len(sentences))))
        for _, sentences in mutants
    ]


def _conjunction(sentences: Sequence[ChangedSentence], reasons: Sequence[Reason]) -> Reason:
    """Return the check of the failing sentence with the fewest terms, or the first of several."""
    failing = [
        (sentence.terms, reason)
        for sentence, reason in zip(sentences, reasons, strict=True)
        if reason > Reason.UNCHECKED
    ]
    if failing:
        return min(failing, key=lambda check: check[0])[1]
    return max(reasons, default=Reason.VALID)
