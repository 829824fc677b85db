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
from hinter.corpora import Counts, fault_of_examples, prepare_corpus, read_examples, read_split
from hinter.errors import InputError
from users_files import (
    GIVEN,
    SIZES,
    Row,
    dataset_sheet,
    id_of,
    ids_tested,
    prepare,
    splits_of,
    write_csv,
)

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


def test_examples_are_named_by_the_prompt_and_read_in_its_order(
    given: Path, tmp_path: Path
) -> None:
    names = {"test:2": ("bad",), id_of("text number 5"): ("good",), "train:17": ("good",)}
    sheet = dataset_sheet(split_column="part", splits=GIVEN)
    table, _ = prepare_corpus(given, sheet=sheet, examples=names, seed=1)
    pq.write_table(table, tmp_path / "corpus.parquet")
    read = read_examples(tmp_path / "corpus.parquet", list(names))
    assert [text.text for text in read] == ["text number 26", "text number 5", "text number 17"]
    assert [text.labels for text in read] == list(names.values())
    apart = {row["original_id"]: row for row in table.to_pylist() if row["example"]}
    assert set(apart) == {text.original_id for text in read}
    assert {row["split"] for row in apart.values()} == {"examples"}
    assert not any(row["tested"] for row in apart.values())
    assert ids_tested(table.to_pylist()) == {id_of(f"text number {i}") for i in range(30)} - set(
        apart
    )


def test_rows_of_a_split_are_counted_with_duplicates_and_without_those_left_out(
    path: Path,
) -> None:
    texts = ["a", "left out", "a", "b", "c"]
    content = [
        {"text": text, "label": 0, "part": "train", "kind": text == "left out"} for text in texts
    ]
    content.insert(2, {"text": "d", "label": 0, "part": "test", "kind": False})
    rows, counts = prepare(
        write_csv(path, content),
        where={"kind": "False"},
        split_column="part",
        splits={"tested": None},
        examples={"train:2": ("bad",), "test:0": ("bad",)},
    )
    named = {row["example"]: row["text"] for row in rows if row["example"]}
    assert named == {"train:2": "b", "test:0": "d"}
    assert counts == Counts(rows=6, left_out_by_filter=1, duplicates=1, texts=4)


def test_examples_of_a_dataset_without_labels_need_none(path: Path) -> None:
    write_csv(path, [{"text": "a"}, {"text": "b"}])
    examples = {id_of("a"): ("good",)}
    rows, _ = prepare(path, label=None, label_names={}, examples=examples)
    assert {row["text"]: row["split"] for row in rows} == {"a": "examples", "b": "tested"}


@pytest.mark.parametrize(
    ("examples", "said"),
    [
        (
            {"train:1": ("bad",)},
            "example 'train:1': found the labels (good); expected (bad), as the prompt says.",
        ),
        ({"train:1": ()}, "found the labels (good); expected (), as the prompt says."),
        ({"train:18": ("bad",)}, "found no row 18 of 'train'; expected every example"),
        ({"valid:0": ("bad",)}, "found no row 0 of 'valid'; expected every example"),
        ({"0" * 16: ("bad",)}, f"found no text with original_id {'0' * 16}; expected every"),
        (
            {"train:1": ("good",), id_of("text number 1"): ("good",)},
            f"'{id_of('text number 1')}': found the text of the example 'train:1'; "
            "expected another",
        ),
    ],
)
def test_examples_that_are_not_what_the_prompt_says_are_refused_by_those_that_read_them(
    examples: dict[str, tuple[str, ...]], said: str, given: Path, tmp_path: Path
) -> None:
    sheet = dataset_sheet(split_column="part", splits=GIVEN)
    table, _ = prepare_corpus(given, sheet=sheet, examples=examples, seed=1)
    pq.write_table(table, tmp_path / "corpus.parquet")
    for names in (list(examples), []):
        with pytest.raises(InputError) as caught:
            read_examples(tmp_path / "corpus.parquet", names)
        assert said in str(caught.value)
        assert str(caught.value).startswith(str(given))
    assert len(read_split(tmp_path / "corpus.parquet", split="tested")) > 1


def test_row_of_a_split_names_nothing_without_a_split_column(given: Path) -> None:
    table, _ = prepare_corpus(given, sheet=dataset_sheet(), examples={"train:1": ("good",)}, seed=1)
    assert "found no row 1 of 'train'" in str(fault_of_examples(table.schema))
