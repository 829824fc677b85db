"""Asking a model no more than once what it has answered before."""

from collections.abc import Callable, Mapping

from ..models import Model
from .store import ResponseStore


def ask(
    model: Model,
    texts: Mapping[str, str],
    *,
    store: ResponseStore,
    advance: Callable[[int], object],
) -> dict[str, str]:
    """Return the response to each text, by its key in the store.

    The model is asked what the store does not know. Every response is in the store before `advance`
    is told of it.
    """
    responses = store.get(list(texts))
    missing = [key for key in texts if key not in responses]
    advance(len(responses))
    for part in model.responses([texts[key] for key in missing]) if missing else ():
        found = {missing[position]: response for position, response in part}
        store.add(found)
        # Another job may have been first; what the store keeps counts.
        responses |= store.get(list(found))
        advance(len(found))
    return responses
