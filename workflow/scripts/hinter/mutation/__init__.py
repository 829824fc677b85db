"""Mutation: where source terms occur, which mutants a text has, and their texts."""

from .annotation import Annotating, Annotation, Token
from .articles import indefinite_article
from .choosing import Operating, operating_by
from .coherent import Selective, coherent_pairs
from .combinations import Combination, Ruling, SpannedTerm, Substituting, combinations_of
from .describing import MENTION_RULES, Describing
from .dictionary_index import DictionaryIndex
from .edits import EDITS, Edit, compose, render
from .folding import FILLER, LINE_BREAK, Folded, fold
from .literal import Literal, span_terms
from .matching import TermMatcher
from .mutant import RECIPE_SCHEMA, Mutant
from .occurrences import RULES, Lists
from .plain import plain
from .reasons import NOTED, REASONS, reason_in_short
from .roles import EditSpan, Role, Span
from .same_person import OnePerson, Persons
