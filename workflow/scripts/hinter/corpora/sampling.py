"""Seeded sampling that does not depend on the order of the population."""

import hashlib
from collections.abc import Iterable, Mapping
from itertools import islice


def draw_splits(
    ids: Iterable[str], *, sizes: Mapping[str, int | None], seed: int
) -> dict[str, str]:
    """Return the split of each drawn id: disjoint splits of the given sizes (None: all the rest).

    Ids are ranked by the SHA-256 of seed and id, and each split takes the next ones.
    """
    ranked = iter(sorted(ids, key=lambda key: hashlib.sha256(f"{seed}:{key}".encode()).digest()))
    return {key: split for split, size in sizes.items() for key in islice(ranked, size)}
