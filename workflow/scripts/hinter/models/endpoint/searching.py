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


async def answered_barest(
    dialect: Dialect, body: Mapping[str, Any], *, is_answered: IsAnswered, but: Collection[str] = ()
) -> Counter[str] | None:
    """Return the barest lessons after which a server answers, None if it never does.

    `body` is what it has refused, of which all parts `but` these may be left out. A limit of tokens
    is only renamed, so it is first kept as it is. A chat remains one: a text to continue is another
    question.
    """
    left = dialect.left(body)
    most = Counter({part: left[part] for part in left.keys() - {"chat", *but}})
    limit = most.pop("max_tokens", 0)
    for lessons in (most, most + Counter(max_tokens=limit)) if limit else (most,):
        if await is_answered(dialect.after(lessons.elements())):
            return lessons
    return None


async def refused_parts(
    dialect: Dialect, body: Mapping[str, Any], *, is_answered: IsAnswered, but: Collection[str]
) -> list[str]:
    """Return the fewest lessons after which a server answers, none if it never does.

    The arguments are those of `answered_barest`.
    """
    barest = await answered_barest(dialect, body, is_answered=is_answered, but=but)
    found = barest or Counter[str]()
    for part in sorted(found):
        for times in range(found[part]):
            fewer = Counter({**found, part: times})
            if await is_answered(dialect.after(fewer.elements())):
                found = fewer
                break
    return sorted(found.elements())
