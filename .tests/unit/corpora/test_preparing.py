"""Corpora: stable ids, and the same bytes whatever the order of rows."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import prepare_corpus as script
import pyarrow.parquet as pq
import pytest
from hinter.corpora import Counts
from users_files import SIZES, Row, dataset_sheet, id_of, prepare, splits_of, write_csv

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = ROOT / "workflow" / "scripts"


def test_original_id_is_a_digest_of_the_cleaned_text(path: Path) -> None:
    write_csv(path, [{"text": "a<br />b", "label": 0}])
    ((row,), _) = prepare(path, replacements={"<br />": " "})
    assert row == {
        "original_id": id_of("a b"),
        "split": "tested",
        "tested": True,
        "text": "a b",
        "labels": ["bad"],
        "example": None,
    }


@pytest.mark.parametrize("order", [0, 1, 2])
def test_order_of_rows_changes_nothing(order: int, rows: list[Row], path: Path) -> None:
    expected = prepare(write_csv(path, rows), splits=SIZES)
    random.Random(order).shuffle(rows)
    assert prepare(write_csv(path, rows), splits=SIZES) == expected


def test_files_written_are_the_same_bytes_for_any_hash_seed(
    rows: list[Row], path: Path, tmp_path: Path
) -> None:
    write_csv(path, rows)
    program = (
        "import json, sys, prepare_corpus\n"
        "prepare_corpus.main(**json.loads(sys.argv[1]))\n"
        "print(hash('text'))\n"
    )
    written, hashes = set(), set()
    for seed in ("0", "1"):
        corpus, counts = tmp_path / f"{seed}.parquet", tmp_path / f"{seed}.csv"
        arguments = {
            "source": str(path),
            "sheet": dataset_sheet(splits=SIZES),
            "examples": {},
            "seed": 1,
            "corpus": str(corpus),
            "counts": str(counts),
        }
        done = subprocess.run(
            [sys.executable, "-c", program, json.dumps(arguments)],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(SCRIPTS)},
            capture_output=True,
            text=True,
            check=True,
        )
        hashes.add(done.stdout)
        written.add(corpus.read_bytes() + counts.read_bytes())
    assert len(hashes) == 2
    assert len(written) == 1


def test_duplicates_are_dropped_and_counted_and_the_first_is_kept(path: Path) -> None:
    texts = ["same", "other", "same", "sa<br />me", "sa me", "Same", "same"]
    labels = [0, 0, 1, 1, 0, 1, 1]
    content = [{"text": text, "label": label} for text, label in zip(texts, labels, strict=True)]
    rows, counts = prepare(write_csv(path, content), replacements={"<br />": " "})
    kept = {row["text"]: row["labels"] for row in rows}
    assert kept == {"same": ["bad"], "other": ["bad"], "sa me": ["good"], "Same": ["good"]}
    assert counts == Counts(rows=7, duplicates=3, texts=4)


def test_script_sets_the_examples_apart(rows: list[Row], path: Path, tmp_path: Path) -> None:
    write_csv(path, rows)
    example = id_of("text number 8")
    script.main(
        source=str(path),
        sheet=dataset_sheet(),
        examples={example: ["bad"]},
        seed=1,
        corpus=str(tmp_path / "corpus.parquet"),
        counts=str(tmp_path / "counts.csv"),
    )
    written = splits_of(pq.read_table(tmp_path / "corpus.parquet").to_pylist())
    assert [key for key, split in written.items() if split == "examples"] == [example]
    assert (tmp_path / "counts.csv").read_text(encoding="utf-8") == (
        "rows,left_out_by_filter,longer_than_max_chars,duplicates,texts\n30,0,0,0,30\n"
    )
