"""Which occurrences of a term count: rules that leave alone those that are something else."""

from .chains import Chains, Pronoun, chains_of
from .lists import Lists
from .occurrence import Occurrence, Scene
from .rules import AMBIGUOUS_CHAIN, ELSEWHERE, OTHER_FORM, RULES, UNANNOTATED, rules_for

__all__ = [
    "AMBIGUOUS_CHAIN",
    "ELSEWHERE",
    "OTHER_FORM",
    "RULES",
    "UNANNOTATED",
    "Chains",
    "Lists",
    "Occurrence",
    "Pronoun",
    "Scene",
    "chains_of",
    "rules_for",
]
