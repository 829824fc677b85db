"""Algorithm 2 on whole mutants, for single mutants and for moved sentence ends."""

from bisect import bisect_right
from collections import Counter, defaultdict
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
    replaced = _by_sentence(spans, sentences=before)
    replacing = _by_sentence(spans.values(), sentences=after)
    starts = [start for start, _ in after]
    terms = Counter(
        position
        for _, position in {
            (edit.attribute, bisect_right(starts, spans[edit.start, edit.end][0]) - 1)
            for edit in edits
        }
    )
    changed = []
    for position, (old, new) in enumerate(zip(before, after, strict=True)):
        if original[slice(*old)] != mutant[slice(*new)]:
            change = Change(
                original[slice(*old)],
                mutant[slice(*new)],
                _relative(replaced[position], old),
                _relative(replacing[position], new),
                position == len(before) - 1 and is_tail(original[slice(*old)]),
            )
            changed.append(ChangedSentence(terms[position], change))
    return changed


def check_mutants(
    mutants: Sequence[tuple[StoredChecks, Sequence[ChangedSentence] | None]],
    *,
    checker: SentenceChecker,
) -> list[Reason]:
    """Return the check on each mutant; the sentences of all are checked together.

    Each mutant is given by its `changed_sentences` and the stored checks of its text.
    """
    reasons = iter(
        checker.check(
            [
                (stored, sentence.change)
                for stored, sentences in mutants
                for sentence in sentences or []
            ]
        )
    )
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
        if reason.discards
    ]
    if failing:
        return min(failing, key=lambda check: check[0])[1]
    return max(reasons, default=Reason.VALID)


def _by_sentence(
    spans: Iterable[Span], *, sentences: Sequence[Span]
) -> defaultdict[int, list[Span]]:
    """Return the spans by the position of the sentence that they start in."""
    starts = [start for start, _ in sentences]
    grouped = defaultdict[int, list[Span]](list)
    for span in spans:
        grouped[bisect_right(starts, span[0]) - 1].append(span)
    return grouped


def _relative(spans: Sequence[Span], sentence: Span) -> tuple[Span, ...]:
    return tuple((start - sentence[0], end - sentence[0]) for start, end in spans)
