"""Description of persons: mentions in a text, and the positions of descriptors."""

from .describing import MENTION_RULES, Describing
from .mentions import PersonWords
