"""The meaning of answers in words."""

from .reader import AnswerReader, FreeReader
from .thoughts import begins_inside, opens_thought, telling, thought_end
