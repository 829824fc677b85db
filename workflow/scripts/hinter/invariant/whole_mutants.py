"""Algorithm 2 on whole mutants, for single mutants and where sentence ends have moved."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from ..mutation import Span, Substitution, render_with_spans
from .changes import Change
from .checking import SentenceChecker
from .reasons import Reason
from .sentences import Sentence, sentences_of
from .splitting import is_tail, split_part, split_sentences
from .store import StoredChecks


class ChangedSentence(NamedTuple):
    """A sentence that a mutant changes; `terms` is how many of its terms are replaced in it."""

    terms: int
    change: Change


class _Split(NamedTuple):
    """The sentences of an original, and where they start."""

    sentences: Sequence[Sentence]
    starts: Sequence[int]


def changed_sentences(
    original: str, placed: Sequence[Sequence[Substitution]]
) -> list[ChangedSentence] | None:
    """Return the sentences that a mutant changes, in text order.

    `placed` holds the substitutions of each of the mutant's pairs. Returns None where the mutant
    has a different number of sentences. Only the sentences with substitutions are split again, as
    long as none of these moves a sentence end.
    """
    sentences, starts = _split(original)
    terms = Counter[int]()
    inside = defaultdict[int, list[Substitution]](list)
    for changes in placed:
        positions = [bisect_right(starts, change.place.start) - 1 for change in changes]
        terms.update(set(positions))
        for position, change in zip(positions, changes, strict=True):
            inside[position].append(change)
    changed = []
    for position in sorted(inside):
        found = _change_within(sentences[position], inside[position])
        if found is None:
            return split_whole(original, placed)
        if found.original != found.mutated:
            changed.append(ChangedSentence(terms[position], found))
    return changed


# Mutants of one original come one after the other.
@lru_cache(maxsize=4)
def _split(text: str) -> _Split:
    sentences = sentences_of(text)
    return _Split(sentences, [sentence.start for sentence in sentences])


def _change_within(sentence: Sentence, changes: Sequence[Substitution]) -> Change | None:
    """Return the change of a sentence, None where it may move a sentence end of its text."""
    start, end = sentence.start, sentence.start + len(sentence.text)
    moved = [change._replace(place=change.place.moved(-start)) for change in changes]
    if any(change.place.end > end for change in changes):
        return None
    mutated, spans = render_with_spans(sentence.text, moved)
    if split_part(mutated, goes_on=sentence.ends_by_word)[:1] != [(0, len(mutated))]:
        return None
    return Change(sentence.text, mutated, tuple(spans), tuple(spans.values()), sentence.tail)


def split_whole(
    original: str, placed: Sequence[Sequence[Substitution]]
) -> list[ChangedSentence] | None:
    """Return what `changed_sentences` does, for any mutant: both texts are split."""
    mutant, spans = render_with_spans(original, chain.from_iterable(placed))
    before, after = split_sentences(original), split_sentences(mutant)
    if len(before) != len(after):
        return None
    replaced = _by_sentence(spans, sentences=before)
    replacing = _by_sentence(spans.values(), sentences=after)
    terms = Counter[int](
        position
        for changes in placed
        for position in _by_sentence(
            (spans[change.place.span] for change in changes), sentences=after
        )
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

    Each mutant is what `changed_sentences` says of it, with the stored checks of its text.
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
    """Return the check of the failing sentence with the fewest terms, the first of several."""
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
