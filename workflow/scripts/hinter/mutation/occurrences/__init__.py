"""Which occurrences of a term count: rules that leave alone those that are something else."""

from .chains import NAME, Chains, Pronoun, chains_of, mentioned
from .lists import Lists
from .names import is_person
from .occurrence import Occurrence, Scene
from .persons import is_human
from .rules import AMBIGUOUS_CHAIN, OTHER_FORM, RULES, UNANNOTATED, rules_for

__all__ = [
    "AMBIGUOUS_CHAIN",
    "NAME",
    "OTHER_FORM",
    "RULES",
    "UNANNOTATED",
    "Chains",
    "Lists",
    "Occurrence",
    "Pronoun",
    "Scene",
    "chains_of",
    "is_human",
    "is_person",
    "mentioned",
    "rules_for",
]
