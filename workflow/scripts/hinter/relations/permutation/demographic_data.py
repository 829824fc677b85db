"""MR12: permute demographic data.

S = x a b and S' = x b, a: what is told first of a person is told last, in a clause of its own.

    John, a 30-year-old African American software engineer, volunteers at ...
    John, an African American software engineer, 30 years old, volunteers at ...
"""

from collections.abc import Iterator

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    yield source.moving("closing", of=source.slots[:1])


RELATION = Relation(name="MR12", title="Permutation of demographic data", follow_ups=_follow_ups)
