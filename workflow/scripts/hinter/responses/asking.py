"""Asking no more than once what has been answered before."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from .store import ResponseStore


class Asked(Protocol):
    """What answers texts: a model under test, or a checker of grammar."""

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of every text, in lists, each as soon as it is there."""


def ask(
    asked: Asked,
    texts: Mapping[str, str],
    *,
    store: ResponseStore,
    counts: Counter[str],
    advance: Callable[[int], object],
) -> dict[str, str]:
    """Return the response to each text, by its key in the store.

    Only what the store does not know is asked; `counts` says of how many texts the response was
    `known`, and how many were `asked` and answered. Every response is in the store before `advance`
    is told of it. A text that gets no response is left out.
    """
    responses = store.get(list(texts))
    missing = [key for key in texts if key not in responses]
    counts["known"] += len(responses)
    advance(len(responses))
    for part in asked.responses([texts[key] for key in missing]) if missing else ():
        found = {missing[position]: response for position, response in part}
        store.add(found)
        # Another job may have been first; what the store keeps counts.
        responses |= store.get(list(found))
        counts["asked"] += len(found)
        advance(len(found))
    return responses
