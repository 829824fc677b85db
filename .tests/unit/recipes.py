"""Literal mutants of a text, made of nothing but their pairs."""

from collections.abc import Sequence
from typing import Any

from hinter.dictionary import WordPair
from hinter.mutation import Mutant, compose, span_terms
from literal import word_pairs


def literal_mutant(original_id: str, text: str, pairs: Sequence[WordPair]) -> Mutant:
    targets = [pair.target for pair in pairs]
    edits = compose(text, zip(span_terms(text, pairs), targets, strict=True))
    return Mutant(original_id, text, tuple(pair.pair_id for pair in pairs), edits)


def edits_of(text: str, *pair_ids: str) -> list[dict[str, Any]]:
    """Return the edits of the mutant of these pairs, as recipes hold them."""
    edits: list[dict[str, Any]] = literal_mutant("", text, word_pairs(pair_ids)).recipe()["edits"]
    return edits
