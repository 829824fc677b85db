"""How many occurrences of each term count: results/occurrences/{dataset}.parquet."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa

from ..database import open_database
from ..mutation import Ruling

OCCURRENCES_SCHEMA = pa.schema(
    [
        ("attribute", pa.string()),
        ("term", pa.string()),
        ("rule", pa.string()),
        ("occurrences", pa.int64()),
    ]
)

SUMS = """
    SELECT attribute, term, rule, sum(occurrences) AS occurrences
    FROM read_parquet({shards}) GROUP BY ALL ORDER BY attribute, term, rule NULLS FIRST
"""


class OccurrenceCounts:
    """How many occurrences of each term each rule has left alone, and how many count."""

    def __init__(self) -> None:
        self._counts = Counter[tuple[str, str, str | None]]()

    def add(self, rulings: Iterable[Ruling]) -> None:
        """Count the occurrences of a text."""
        self._counts.update(
            (one.occurrence.attribute, one.occurrence.source, one.rule) for one in rulings
        )

    def table(self) -> pa.Table:
        """Return a row by attribute, term and rule, which is null for occurrences that count."""
        rows = sorted(self._counts.items(), key=lambda item: tuple(map(str, item[0])))
        columns = OCCURRENCES_SCHEMA.names
        return pa.Table.from_pylist(
            [dict(zip(columns, (*key, count), strict=True)) for key, count in rows],
            schema=OCCURRENCES_SCHEMA,
        )


def add_up_occurrences(shards: Sequence[Path]) -> pa.Table:
    """Return the counts of a whole dataset, given its shards'."""
    query = SUMS.format(shards=[str(path) for path in shards])
    summed: pa.Table = open_database().sql(query).to_arrow_table()
    return summed.cast(OCCURRENCES_SCHEMA)
