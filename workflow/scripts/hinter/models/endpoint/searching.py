"""Find the parts of a request that a server refuses without naming them, by leaving parts out.

A harmless question in the form of the real request shows whether a server refuses the form or only
a prompt. If it refuses the form, it is asked in the barest form, and then with each part again.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
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


def _barest(dialect: Dialect, body: Mapping[str, Any]) -> Iterator[Counter[str]]:
    """Yield the lessons without which nothing more can be left out of a sent `body`.

    A limit of tokens is only renamed, so it is first kept as it is. A chat remains one: a text to
    continue is another question.
    """
    most = dialect.left(body)
    del most["chat"]
    limit = most.pop("max_tokens", 0)
    yield most
    if limit:
        yield most + Counter(max_tokens=limit)


async def answered_barest(
    dialect: Dialect, body: Mapping[str, Any], *, is_answered: IsAnswered
) -> Counter[str] | None:
    """Return the barest lessons after which a server answers, None if it never does.

    `body` is what it has refused.
    """
    for lessons in _barest(dialect, body):
        if await is_answered(dialect.after(lessons.elements())):
            return lessons
    return None


async def refused_parts(
    dialect: Dialect, body: Mapping[str, Any], *, is_answered: IsAnswered
) -> list[str]:
    """Return the fewest lessons after which a server answers, none if it never does.

    `body` is what it has refused.
    """
    found = await answered_barest(dialect, body, is_answered=is_answered) or Counter[str]()
    for part in sorted(found):
        for times in range(found[part]):
            fewer = Counter({**found, part: times})
            if await is_answered(dialect.after(fewer.elements())):
                found = fewer
                break
    return sorted(found.elements())
