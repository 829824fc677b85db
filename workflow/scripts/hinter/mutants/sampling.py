"""A seeded uniform sample of the mutants of an order that is counted but not listed.

Every mutant has a random key, and the sample consists of those with the smallest keys. The keys of
a combination are made in ascending order by a generator that is seeded with its name. Only the keys
that are needed are therefore made, and the order of texts and their division among jobs do not
matter.
"""

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from math import expm1, log1p
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from ..database import open_database
from ..invariant import CheckedText, Checks, Reason
from ..lattice import parts_of
from ..mutation import Combination, DictionaryIndex
from .listing import MUTANTS_SCHEMA, Selection, list_mutants

SAMPLE_SCHEMA = MUTANTS_SCHEMA.append(pa.field("key", pa.float64()))

# The sampled mutants of each operator with the smallest keys over all shards, each with its
# sub-mutants; a mutant that occurs several times is kept once.
SAMPLE = """
    WITH rows AS (FROM read_parquet({shards})),
    chosen AS (
        SELECT operator, "order", key FROM rows WHERE sampled
        QUALIFY row_number() OVER (
            PARTITION BY operator, "order" ORDER BY key, mutant_id
        ) <= {size}
    )
    SELECT rows.* EXCLUDE key FROM rows SEMI JOIN chosen USING (operator, key)
    QUALIFY row_number() OVER (PARTITION BY mutant_id ORDER BY sampled DESC) = 1
    ORDER BY original_id, "order", attributes, mutant_id
"""

Name = tuple[tuple[str, str], ...]


@dataclass
class _Kept:
    """A sampled mutant; `rows` has its own row and those of its sub-mutants."""

    key: float
    rows: list[dict[str, Any]]


@dataclass
class MutantSample:
    """The `size` mutants with the smallest keys for each of `orders`, over all texts considered.

    Only valid mutants are sampled or, with `discarded`, also discarded ones.
    """

    orders: Sequence[int]
    _: KW_ONLY
    size: int
    seed: int
    discarded: bool
    index: DictionaryIndex

    def __post_init__(self) -> None:
        """Begin without any mutant."""
        self._kept: dict[int, list[_Kept]] = {order: [] for order in self.orders}

    def consider(self, checked: CheckedText) -> None:
        """Sample from the mutants of a checked text."""
        by_name = {_name(checks.combination): checks for checks in checked.checks}
        added: list[_Kept] = []
        selections: list[Selection] = []
        for name, checks in by_name.items():
            for key, sampled in self._samples(checks):
                best = self._kept[len(name)]
                if len(best) == self.size and key >= best[-1].key:
                    break
                own = [sampled]
                for order in self._kept:
                    own += _sub_mutants(sampled, by_name, order=order)
                kept = _Kept(key, [{}] * len(own))
                insort(best, kept, key=attrgetter("key"))
                del best[self.size :]
                added.append(kept)
                selections += own
        rows = iter(list_mutants(selections, index=self.index).to_pylist())
        for kept in added:
            kept.rows = list(islice(rows, len(kept.rows)))

    def table(self) -> pa.Table:
        """Return the sample by ascending key: rows of the mutants file with the sampled one's key.

        Sub-mutants of sampled orders are included with their mutant; their `sampled` is false.
        """
        rows = [
            {**row, "key": kept.key}
            for best in self._kept.values()
            for kept in best
            for row in kept.rows
        ]
        return pa.Table.from_pylist(rows, schema=SAMPLE_SCHEMA)

    def _samples(self, checks: Checks) -> Iterator[tuple[float, Selection]]:
        """Yield a combination's mutants by ascending key, none if its order is not sampled."""
        name = _name(checks.combination)
        if len(name) not in self._kept:
            return
        codes = checks.codes.ravel()
        eligible = np.flatnonzero(
            codes != Reason.UNCHECKED if self.discarded else codes == Reason.VALID
        )
        generator = Random(f"{self.seed}:{checks.text.original_id}:{name}")
        for key, choice in ascending_keys(len(eligible), generator=generator):
            yield key, Selection(checks, eligible[[choice]], sampled=True)


def ascending_keys(count: int, *, generator: Random) -> Iterator[tuple[float, int]]:
    """Yield (key, item) for `count` items with independent uniform keys, by ascending key.

    The smallest of n uniform numbers is distributed as 1 - u ** (1 / n); the others are then
    uniform above it, so the next smallest follows in the same way. The items are shuffled lazily:
    `moved` has only those that are no longer at their position (Fisher and Yates).
    """
    log_survival = 0.0
    moved: dict[int, int] = {}
    for first in range(count):
        log_survival += log1p(-generator.random()) / (count - first)
        choice = generator.randrange(first, count)
        yield -expm1(log_survival), moved.get(choice, choice)
        moved[choice] = moved.get(first, first)


def _name(combination: Combination) -> Name:
    return tuple((term.attribute, term.source) for term in combination.terms)


def _sub_mutants(
    sampled: Selection, by_name: dict[Name, Checks], *, order: int
) -> Iterator[Selection]:
    """Yield the sub-mutants of an order.

    One may not exist: its shorter term can lose its only span to another of its terms.
    """
    name = _name(sampled.checks.combination)
    choices = np.unravel_index(sampled.positions, sampled.checks.shape)
    for axes in parts_of(range(len(name)))[1:-1]:
        checks = by_name.get(tuple(name[axis] for axis in axes))
        if checks is not None and len(axes) == order:
            position = np.ravel_multi_index([choices[axis] for axis in axes], checks.shape)
            yield Selection(checks, position, sampled=False)


def merge_samples(paths: Sequence[Path], *, size: int) -> pa.Table:
    """Return the sample of a whole dataset (rows of the mutants file) from those of its shards."""
    query = SAMPLE.format(shards=[str(path) for path in paths], size=size)
    merged: pa.Table = open_database().sql(query).to_arrow_table()
    return merged.cast(MUTANTS_SCHEMA)
