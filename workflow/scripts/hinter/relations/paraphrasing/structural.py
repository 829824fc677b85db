"""MR15: rephrase the structure of the sentence.

S' = S in another grammatical form, such as the passive voice, with its attributes as they are.

    A group of young, female engineers ... has developed an innovative ... algorithm.
    An innovative ... algorithm has been developed by a group of young female engineers ...
"""

from collections.abc import Iterator
from dataclasses import replace

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    yield replace(source, wording="structural")


RELATION = Relation(name="MR15", title="Structural paraphrasing", follow_ups=_follow_ups)
