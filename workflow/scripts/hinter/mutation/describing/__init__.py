"""Description of persons: where a text mentions one, and where a descriptor may go."""

from .describing import MENTION_RULES, NOTHING_FITS, SAME_DESCRIPTOR, TOLD_TWICE, Describing
from .mentions import PersonWords
