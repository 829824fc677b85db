"""The sentences that a mutant changes, with its changes marked."""

from collections.abc import Mapping

from ...invariant import split_sentences
from ...mutation import Mutant, Span, plain, render
from ..writing import MARK_END, MARK_START, UNKNOWN

_OWN = str.maketrans(dict.fromkeys((MARK_START, MARK_END), UNKNOWN))


def excerpt_of(mutant: Mutant, *, among: Mutant) -> str:
    """Return the sentences that the mutant `among` changes, as a part of it changes them."""
    kept = []
    for start, end in split_sentences(plain(mutant.original)):
        if any(start <= edit.start < end for edit in among.edits):
            own = (edit.moved(-start) for edit in mutant.edits if start <= edit.start < end)
            kept.append(_mark(*render(mutant.original[start:end], own)))
    return " ... ".join(kept)


def _mark(sentence: str, spans: Mapping[Span, Span]) -> str:
    sentence = sentence.translate(_OWN)
    for start, end in sorted(spans.values(), reverse=True):
        marked = f"{MARK_START}{sentence[start:end]}{MARK_END}"
        sentence = sentence[:start] + marked + sentence[end:]
    return sentence
