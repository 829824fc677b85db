"""Divide items into batches of limited size."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def batches_of(
    items: Iterable[Item], *, length: Callable[[Item], int], size: int, most: int | None = None
) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `most` items, whose lengths add up to at most `size`.

    An item longer than `size` is a list by itself.
    """
    batch: list[Item] = []
    total = 0
    for item in items:
        if batch and (len(batch) == most or total + length(item) > size):
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += length(item)
    if batch:
        yield batch
