"""Mutation: where source terms occur, which mutants there are, and their text."""

from .combinations import Combination, PlacedTerm, Substituting, combinations_of
from .dictionary_index import DictionaryIndex
from .literal import Literal
from .matching import LINE_BREAK, TermMatcher
from .rendering import Substitution, place_pairs, place_rows, render, render_with_spans
from .roles import Place, Role, Span
from .wording import wording

__all__ = [
    "LINE_BREAK",
    "Combination",
    "DictionaryIndex",
    "Literal",
    "Place",
    "PlacedTerm",
    "Role",
    "Span",
    "Substituting",
    "Substitution",
    "TermMatcher",
    "combinations_of",
    "place_pairs",
    "place_rows",
    "render",
    "render_with_spans",
    "wording",
]
