"""The meaning of answers in words."""

from .free import FreeReader
from .reader import AnswerReader

__all__ = ["AnswerReader", "FreeReader"]
