"""The limits that the configuration sets for some models: on which part of a suite they are run."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

PARTS = ("originals", "pairs_per_attribute", "tests")
"""The keys of a limit that make a suite smaller."""


class HeldOut(NamedTuple):
    """The held-out texts that measure a model's accuracy: `texts` of them, drawn by seeded hash.

    A smaller number has a part of what a larger one has; None is all.
    """

    texts: int | None
    seed: int

    def query(self, corpus: str) -> str:
        """Return the SQL for their `original_id` in `corpus`, a relation of one dataset."""
        limit = "" if self.texts is None else f"LIMIT {self.texts}"
        return f"""
            SELECT original_id FROM {corpus} WHERE split = 'held_out'
            ORDER BY md5('{self.seed}:' || original_id), original_id {limit}
        """


def find_limit(
    limits: Sequence[Mapping[str, Any]], *, model: str, dataset: str
) -> Mapping[str, Any] | None:
    """Return the limit of a model's run on a dataset, None where it has none."""
    named = (
        limit
        for limit in limits
        if model in limit["models"] and dataset in (limit["datasets"] or [dataset])
    )
    return next(named, None)


def find_part(
    limits: Sequence[Mapping[str, Any]], *, model: str, dataset: str
) -> dict[str, int | None] | None:
    """Return the part of the suite that a model is run on, None for the whole suite."""
    limit = find_limit(limits, model=model, dataset=dataset) or {}
    part = {key: limit.get(key) for key in PARTS}
    return part if any(part.values()) else None


def find_held_out(
    limits: Sequence[Mapping[str, Any]], *, model: str, dataset: str, seed: int
) -> HeldOut:
    """Return the held-out texts that a model is run on."""
    limit = find_limit(limits, model=model, dataset=dataset) or {}
    return HeldOut(limit.get("held_out"), seed=seed)
