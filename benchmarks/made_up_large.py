"""The suite of a made-up dataset of any size, and a model's predictions on it."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pyarrow as pa
from made_up_study import CORPUS, MUTANTS, PAIRS, PREDICTIONS, VERDICTS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

from hinter.blocks import RowGroups
from hinter.mutants import SUITE_SCHEMA
from hinter.predictions import PREDICTIONS_SCHEMA

ROWS_AT_ONCE = 2_000_000
PREDICTED = pa.schema([field for field in PREDICTIONS_SCHEMA if field.name != "input_hash"])


def mutants_per_original(targets: int) -> int:
    """Return the mutants and controls of an original with so many pairs per attribute."""
    return 3 * targets + 3 * targets**2 + 1 + 3 * targets


def make_large(folder: Path, *, originals: int, targets: int, predicted: bool) -> int:
    """Write `suite.parquet`, `pairs.csv` and, if asked, `predictions.parquet`; return the rows."""
    at_once = max(1, ROWS_AT_ONCE // mutants_per_original(targets))
    connection = duckdb.connect()
    with (
        RowGroups(folder / "suite.parquet", schema=SUITE_SCHEMA) as suite,
        RowGroups(folder / "predictions.parquet", schema=PREDICTED) as predictions,
    ):
        for first in range(0, originals, at_once):
            past = min(originals, first + at_once)
            made = MUTANTS.format(first=first, past=past, targets=targets)
            connection.execute(f"CREATE OR REPLACE TABLE mutants AS {made}")
            rows = connection.sql("FROM mutants").to_arrow_table()
            suite.write(rows.select(SUITE_SCHEMA.names).cast(SUITE_SCHEMA))
            if predicted:
                predictions.write(_predict(connection))
            if first == 0:
                connection.execute(f"COPY ({PAIRS}) TO '{folder / 'pairs.csv'}'")
    return originals * mutants_per_original(targets)


def _predict(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return the predictions on the table `mutants` and on its originals."""
    connection.execute(f"CREATE OR REPLACE TABLE corpus AS {CORPUS}")
    with TemporaryDirectory() as scratch:
        verdicts = Path(scratch, "verdicts.parquet")
        connection.execute(f"COPY ({VERDICTS.format(model='m')}) TO '{verdicts}'")
        rows = connection.sql(PREDICTIONS.format(verdicts=verdicts)).to_arrow_table()
    return rows.select(PREDICTED.names).cast(PREDICTED)
