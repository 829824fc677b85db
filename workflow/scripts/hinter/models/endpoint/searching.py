"""Find the parts of a request that a server refuses without naming them, by leaving parts out.

A harmless question in the form of the real request shows whether a server refuses the form or only
a prompt. If it refuses the form, it is asked in the barest form, and then with each part again.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from .dialect import Dialect, Messages

HARMLESS = "Hi"
"""A question that no filter refuses."""
GREETING = [{"role": "user", "content": HARMLESS}]

IsAnswered = Callable[[Dialect], Awaitable[bool]]
"""Asks a server a harmless question in a dialect, and returns whether it answers."""


def harmless(messages: Messages) -> Messages:
    """Return a chat of the form of `messages` about nothing."""
    return [{**turn, "content": turn["content"] and HARMLESS} for turn in messages]


async def refused_parts(
    dialect: Dialect, body: Mapping[str, Any], *, is_answered: IsAnswered, but: Collection[str]
) -> list[str]:
    """Return the fewest lessons after which a server answers, none if it never does.

    `body` is what it has refused, of which all parts `but` these may be left out. A limit of tokens
    is only renamed, so it is first kept as it is. A chat remains one: a text to continue is another
    question.
    """
    left = dialect.left(body)
    found = Counter({part: left[part] for part in left.keys() - {"chat", *but}})
    limit = found.pop("max_tokens", 0)
    if not await is_answered(dialect.after(found.elements())):
        found["max_tokens"] = limit
        if not limit or not await is_answered(dialect.after(found.elements())):
            return []
    for part in sorted(found):
        for times in range(found[part]):
            fewer = Counter({**found, part: times})
            if await is_answered(dialect.after(fewer.elements())):
                found = fewer
                break
    return sorted(found.elements())
