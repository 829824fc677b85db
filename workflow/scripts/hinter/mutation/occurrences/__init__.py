"""Which occurrences of a term are replaced: rules exclude those that mean something else."""

from .chains import NAME, Chains, chains_of, mentioned, pronoun_span
from .occurrence import Lists, Occurrence, Scene
from .persons import is_person
from .rules import RULES, Note, is_fixed, rules_for
