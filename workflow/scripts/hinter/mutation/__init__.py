"""Mutation: where source terms occur, which mutants a text has, and their texts."""

from .annotation import Annotation, Token
from .articles import indefinite_article
from .choosing import substituting_by
from .coherent import Annotating, Selective, coherent_pairs
from .combinations import Combination, PlacedTerm, Substituting, combinations_of
from .dictionary_index import DictionaryIndex
from .literal import Literal
from .matching import LINE_BREAK, TermMatcher
from .occurrences import RULES, Lists
from .rendering import (
    PLACES,
    RECIPE_SCHEMA,
    Substitution,
    place_pairs,
    place_part,
    place_rows,
    render,
    render_with_spans,
    rows_of_places,
)
from .roles import Place, Role, Span
from .ruling import Ruling
from .wording import wording

__all__ = [
    "LINE_BREAK",
    "PLACES",
    "RECIPE_SCHEMA",
    "RULES",
    "Annotating",
    "Annotation",
    "Combination",
    "DictionaryIndex",
    "Lists",
    "Literal",
    "Place",
    "PlacedTerm",
    "Role",
    "Ruling",
    "Selective",
    "Span",
    "Substituting",
    "Substitution",
    "TermMatcher",
    "Token",
    "coherent_pairs",
    "combinations_of",
    "indefinite_article",
    "place_pairs",
    "place_part",
    "place_rows",
    "render",
    "render_with_spans",
    "rows_of_places",
    "substituting_by",
    "wording",
]
