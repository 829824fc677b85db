"""Which occurrences of a term count: rules that leave alone those that are something else."""

from .chains import NAME, Chains, Pronoun, chains_of, mentioned
from .lists import Lists
from .names import (
    capitals,
    defined_term,
    is_person,
    named_person,
    part_of_name,
    quoted_title,
)
from .occurrence import Occurrence, Scene
from .rules import AMBIGUOUS_CHAIN, ELSEWHERE, OTHER_FORM, RULES, UNANNOTATED, rules_for
from .terms import address, broken_word, compound

__all__ = [
    "AMBIGUOUS_CHAIN",
    "ELSEWHERE",
    "NAME",
    "OTHER_FORM",
    "RULES",
    "UNANNOTATED",
    "Chains",
    "Lists",
    "Occurrence",
    "Pronoun",
    "Scene",
    "address",
    "broken_word",
    "capitals",
    "chains_of",
    "compound",
    "defined_term",
    "is_person",
    "mentioned",
    "named_person",
    "part_of_name",
    "quoted_title",
    "rules_for",
]
