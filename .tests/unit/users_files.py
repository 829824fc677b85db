"""Files of texts as users have them, and the corpora made of them."""

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.config import Datasets, check_sheet
from hinter.corpora import CORPUS_SCHEMA, Counts, prepare_corpus
from hinter.errors import InputError

DATASET = {
    "about": "texts of ours",
    "file": "texts.csv",
    "text": "text",
    "label": "label",
    "label_names": {"0": "bad", "1": "good"},
    "splits": {"tested": None},
}
SIZES = {"tested": 7, "held_out": 5, "calibration": 3, "validation": 2, "training": 4}
GIVEN = {"tested": None, "held_out": "test", "training": ["train"], "validation": "dev"}
Row = dict[str, Any]


def users_sheet(**keys: Any) -> dict[str, Any]:
    """Return the entry of a dataset in a file of the user's."""
    document = {"about": "ours", "file": "texts.csv", "splits": {"tested": None}} | keys
    sheets = check_sheet({"mine": document}, Datasets, where="mine.yaml")
    return sheets.root["mine"].model_dump()


def dataset_sheet(**changes: Any) -> dict[str, Any]:
    """Return the entry `DATASET` with some keys changed."""
    return users_sheet(**(DATASET | changes))


def id_of(text: str) -> str:
    """Return the id of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_csv(path: Path, rows: Sequence[Row]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_json(path: Path, rows: Sequence[Row]) -> Path:
    lines = (json.dumps(row) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_parquet(path: Path, rows: Sequence[Row]) -> Path:
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


WRITERS = {".csv": write_csv, ".jsonl": write_json, ".parquet": write_parquet}


def prepare(
    path: Path,
    *,
    examples: Mapping[str, tuple[str, ...]] | None = None,
    seed: int = 1,
    **changes: Any,
) -> tuple[list[Row], Counts]:
    """Return the rows of the corpus of a file, and what was counted."""
    table, counts = prepare_corpus(
        path, sheet=dataset_sheet(**changes), examples=examples or {}, seed=seed
    )
    assert table.schema == CORPUS_SCHEMA
    rows = table.to_pylist()
    ids = [row["original_id"] for row in rows]
    assert ids == sorted(set(ids))
    return rows, counts


def texts_of(rows: Sequence[Row]) -> set[str]:
    return {row["text"] for row in rows}


def splits_of(rows: Sequence[Row]) -> dict[str, str]:
    return {row["original_id"]: row["split"] for row in rows}


def ids_tested(rows: Sequence[Row]) -> set[str]:
    return {row["original_id"] for row in rows if row["tested"]}


def refusal_of(path: Path, **changes: Any) -> str:
    """Return the one line with which a file is refused."""
    (message,) = refusals_of(path, **changes)
    return message


def refusals_of(path: Path, **changes: Any) -> list[str]:
    """Return the lines with which a file is refused."""
    with pytest.raises(InputError) as caught:
        prepare(path, **changes)
    return [line.strip() for line in str(caught.value).split("\n")]
