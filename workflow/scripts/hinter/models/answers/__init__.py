"""The meaning of answers in words."""

from .reader import AnswerReader, FreeReader, PartReader
from .thoughts import begins_inside, opens_thought, said_in, telling, thought_end
