"""Description of persons: where a text mentions one, and where a descriptor may go."""

from .describing import MENTION_RULES, Describing
from .words import PersonWords

__all__ = ["MENTION_RULES", "Describing", "PersonWords"]
