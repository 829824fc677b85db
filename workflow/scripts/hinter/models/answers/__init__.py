"""The meaning of answers in words."""

from .reader import AnswerReader, FreeReader
from .thoughts import begins_inside, opens_thought, said_in, telling, thought_end
