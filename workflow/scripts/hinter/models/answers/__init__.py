"""What answers in words mean."""

from .reader import AnswerReader

__all__ = ["AnswerReader"]
