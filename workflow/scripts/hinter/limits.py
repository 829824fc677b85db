"""The limits of some models in the configuration: the part of a suite that they are run on."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .errors import InputError

PARTS = ("originals", "pairs_per_attribute", "combinations", "tests")
"""The keys of a limit that make a suite smaller."""


class HeldOut(NamedTuple):
    """The held-out texts that measure a model's accuracy: `texts` of them, by seeded hash.

    A smaller sample is part of a larger one. None is all.
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
    """Return the limit of a model's run on a dataset, or None if it has none."""
    named = (
        limit
        for limit in limits
        if model in limit["models"] and dataset in (limit["datasets"] or [dataset])
    )
    return next(named, None)


def find_part(
    limits: Sequence[Mapping[str, Any]], *, model: str, dataset: str
) -> dict[str, int | None] | None:
    """Return the part of the suite that a model is run on, or None for the whole suite."""
    limit = find_limit(limits, model=model, dataset=dataset) or {}
    part = {key: limit.get(key) for key in PARTS}
    return part if any(part.values()) else None


def find_held_out(
    limits: Sequence[Mapping[str, Any]], *, model: str, dataset: str, seed: int
) -> HeldOut:
    """Return the held-out texts that a model is run on."""
    limit = find_limit(limits, model=model, dataset=dataset) or {}
    return HeldOut(limit.get("held_out"), seed=seed)


def check_limits(limits: Sequence[Mapping[str, Any]], *, runs: Sequence[tuple[str, str]]) -> None:
    """Raise `InputError` for an empty limit, or if a run (model, dataset) has several."""
    limited: dict[tuple[str, str], int] = {}
    for number, limit in enumerate(limits, start=1):
        where = f"configuration, key 'limits', number {number}"
        if all(value is None for key, value in limit.items() if key not in ("models", "datasets")):
            raise InputError(
                where=where,
                found="a limit of nothing",
                expected=f"one or more of {', '.join(PARTS)} and held_out",
                fix="Add one, or remove the limit.",
            )
        for model, dataset in runs:
            if find_limit([limit], model=model, dataset=dataset) is None:
                continue
            first = limited.setdefault((model, dataset), number)
            if first != number:
                raise InputError(
                    where=where,
                    found=f"the model '{model}' on '{dataset}', as in number {first}",
                    expected="one limit for each model and dataset",
                    fix="Remove it from one of them, or name other `datasets`.",
                )
