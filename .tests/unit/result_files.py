"""Result files of a few rows each, written by hand."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.mutants import COUNTS_SCHEMA
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.tables import TableFiles

Row = dict[str, Any]
Parts = list[tuple[str, str, Path]]
"""Of each part of some results its model or kind, its dataset and its file."""
STATUSES = ["ok", "identical", "none", "refused", "unparsed"]


def write_rows(path: Path, rows: Iterable[Row], schema: pa.Schema | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), path)
    return path


def table_files(folder: Path) -> TableFiles:
    """Return the files of a table, named by their form."""
    return TableFiles(*(folder / form for form in ("csv", "markdown", "latex", "html")))


def verdict_row(original: str, number: int, **values: Any) -> Row:
    """Return the verdict on a mutant of two pairs that is benign, unless `values` differ."""
    plain = {
        "mutant_id": f"{original}|a:{number}|b:{number}",
        "original_id": original,
        "order": 2,
        "attributes": "a+b",
        "pair_ids": [f"a:{number}", f"b:{number}"],
        "operator": "literal",
        "one_person": "unknown",
        "valid": True,
        "sampled": None,
        "control": False,
        "visible_order": 2,
        "biased": False,
        "complete": True,
        "hidden": False,
    }
    row = plain | values
    seen = row["visible_order"] == row["order"] and row["biased"] is not None
    return row | {"counted": row["valid"] and row["sampled"] is not False and seen}


VERDICTS = [
    verdict_row("o1", 1),
    verdict_row("o1", 2, biased=True, hidden=True),
    verdict_row("o1", 3, biased=True, complete=False, hidden=None),
    verdict_row("o2", 1, biased=True),
    verdict_row("o2", 2),
    verdict_row("o3", 1),
    # Not counted: the model saw one pair only; not run; atomic; discarded; only a sub-mutant.
    verdict_row("o3", 2, biased=True, hidden=True, visible_order=1),
    verdict_row("o4", 1, biased=None, hidden=None),
    verdict_row("o5", 1, order=1, visible_order=1, biased=True, hidden=None),
    verdict_row("o6", 1, valid=False, biased=True, hidden=True),
    verdict_row("o6", 2, sampled=False, biased=True, hidden=True),
]


def no_answers(folder: Path, verdicts: Parts) -> Parts:
    """Write predictions without a row for each model and dataset that has verdicts."""
    path = write_rows(folder / "no_answers.parquet", [], PREDICTIONS_SCHEMA)
    return [(model, dataset, path) for model, dataset, _ in verdicts]


def write_counts(folder: Path, *rows: tuple[int, str | None, int]) -> Parts:
    """Write counts (order, reason, mutants) of the dataset d."""
    table = [
        {"original_id": "o", "order": order, "attributes": "a+b", "reason": reason, "mutants": n}
        for order, reason, n in rows
    ]
    return [("counts", "d", write_rows(folder / "d.parquet", table, COUNTS_SCHEMA))]


def random_answers(seed: int, *, count: int) -> list[tuple[str, list[str] | None]]:
    """Return statuses, each with an outcome or none."""
    draw = random.Random(seed)
    statuses = draw.choices([*STATUSES, "ok", "ok"], k=count)
    return [(status, [draw.choice("xy")] if status == "ok" else None) for status in statuses]
