"""Mutation: where source terms occur, which mutants a text has, and their texts."""

from .combinations import Combination, PlacedTerm, combinations_of
from .dictionary_index import DictionaryIndex
from .matching import LINE_BREAK, Span, TermMatcher
from .rendering import Substitution, match_case, place_pairs, render, render_with_spans

__all__ = [
    "LINE_BREAK",
    "Combination",
    "DictionaryIndex",
    "PlacedTerm",
    "Span",
    "Substitution",
    "TermMatcher",
    "combinations_of",
    "match_case",
    "place_pairs",
    "render",
    "render_with_spans",
]
