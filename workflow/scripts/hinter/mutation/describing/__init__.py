"""Description of persons: mentions in a text, and the positions of descriptors."""

from .describing import MENTION_RULES, NOTHING_FITS, SAME_DESCRIPTOR, TOLD_TWICE, Describing
from .mentions import PersonWords
