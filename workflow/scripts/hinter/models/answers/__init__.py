"""The meaning of answers in words."""

from .parser import AnswerParser
from .readers import FreeTextParser, PartReader
from .thoughts import begins_inside, opens_thought, reporting, said_in, thought_end
