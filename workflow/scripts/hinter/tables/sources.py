"""The result files behind the tables, as one relation over all models and datasets."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import duckdb

from ..database import open_database

Part = tuple[str, str, Path]
"""Model, dataset and result file of a part of a study."""

Results = Sequence[Part]


def read_parts(paths: Iterable[str]) -> list[Part]:
    """Return the result files `.../{model}/{dataset}.parquet` with their model and dataset."""
    return [(Path(path).parent.name, Path(path).stem, Path(path)) for path in paths]


def open_results(**results: Results) -> duckdb.DuckDBPyConnection:
    """Return a connection with a view per name: the files' rows with `model` and `dataset`."""
    connection = open_database()
    for name, parts in results.items():
        connection.execute(f"CREATE VIEW {name} AS {_union(parts)}")
    return connection


def _union(parts: Iterable[Part]) -> str:
    return " UNION ALL ".join(
        f"SELECT '{model}' AS model, '{dataset}' AS dataset, * FROM read_parquet('{path}')"
        for model, dataset, path in parts
    )
