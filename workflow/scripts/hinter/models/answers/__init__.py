"""The meaning of answers in words."""

from .parser import AnswerParser, FreeTextParser, PartReader
from .thoughts import begins_inside, opens_thought, reporting, said_in, thought_end
