"""Mutation: where source terms occur, which mutants a text has, and their texts."""

from .agreement import EditSpan, Role, indefinite_article
from .annotation import Annotating, Annotation, Token
from .coherent import Selective, coherent_pairs
from .combinations import (
    Combination,
    DictionaryIndex,
    Operating,
    Ruling,
    SpannedTerm,
    combinations_of,
    operating_by,
)
from .describing import MENTION_RULES, Describing
from .edits import EDITS, Edit, compose, render
from .literal import Literal, span_terms
from .matching import TermMatcher
from .mutant import RECIPE_SCHEMA, Mutant
from .occurrences import RULES, Lists
from .plain import FILLER, LINE_BREAK, Folded, Span, fold, plain
from .reasons import NOTED, REASONS, reason_in_short
from .same_person import OnePerson, Persons
