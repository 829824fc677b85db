"""The meaning of answers in words."""

from .reader import AnswerReader, FreeReader
