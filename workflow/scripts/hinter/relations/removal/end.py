"""MR6.2: remove the sensitive attribute at the end.

S' = S - c, the last attribute that S tells.

    Evaluate the qualifications of a young, African-American female candidate ...
    Evaluate the qualifications of a young, African-American candidate ...
"""

from collections.abc import Iterator

from ..prompt import Prompt
from ..relation import Relation


def _follow_ups(source: Prompt) -> Iterator[Prompt]:
    yield source.without(source.slots[-1])


RELATION = Relation(
    name="MR6.2", title="Removal at the end", follow_ups=_follow_ups, adds_or_removes=True
)
