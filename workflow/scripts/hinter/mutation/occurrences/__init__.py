"""Which occurrences of a term are replaced: rules exclude those that mean something else."""

from .chains import NAME, Chains, Pronoun, chains_of, mentioned
from .lists import Lists
from .names import defined_term, is_person, named_person, part_of_name
from .occurrence import Occurrence, Scene
from .rules import AMBIGUOUS_CHAIN, ELSEWHERE, OTHER_FORM, RULES, UNANNOTATED, rules_for
from .terms import broken_word, is_fixed
