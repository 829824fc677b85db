"""Corpora: stable ids, and the same bytes whatever the order of rows."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

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
    refusal_of,
    splits_of,
    texts_of,
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
            "path": str(path),
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
        path=str(path),
        sheet=dataset_sheet(),
        examples={example: ["bad"]},
        seed=1,
        corpus=str(tmp_path / "corpus.parquet"),
        counts=str(tmp_path / "counts.csv"),
    )
    written = splits_of(pq.read_table(tmp_path / "corpus.parquet").to_pylist())
    assert [key for key, split in written.items() if split == "examples"] == [example]
    assert (tmp_path / "counts.csv").read_text(encoding="utf-8") == (
        "rows,left_out_by_filter,empty,other_labels,longer_than_max_chars,duplicates,texts,"
        "with_html\n30,0,0,0,0,0,30,0\n"
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


def test_rows_of_a_split_are_counted_with_duplicates_and_without_those_left_out(path: Path) -> None:
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


def test_splits_have_the_sizes_asked_for(rows: list[Row], path: Path) -> None:
    prepared, counts = prepare(write_csv(path, rows), splits=SIZES)
    assert Counter(splits_of(prepared).values()) == SIZES
    assert counts.texts == len(rows)


def test_null_takes_all_that_is_left(rows: list[Row], path: Path) -> None:
    sizes = {"tested": 4, "held_out": 3, "training": None}
    prepared, _ = prepare(write_csv(path, rows), splits=sizes)
    assert Counter(splits_of(prepared).values()) == sizes | {"training": 23}
    assert texts_of(prepared) == texts_of(rows)


def test_all_other_texts_are_tested_once_splits_with_a_number_are_full(
    rows: list[Row], path: Path
) -> None:
    sizes = {"tested": None, "validation": 5, "training": 10}
    prepared, _ = prepare(write_csv(path, rows), splits=sizes)
    assert Counter(splits_of(prepared).values()) == sizes | {"tested": 15}


def test_order_of_splits_in_the_sheet_changes_nothing(rows: list[Row], path: Path) -> None:
    write_csv(path, rows)
    sizes = {"tested": 4, "held_out": 3, "training": None}
    expected = prepare(path, splits=sizes)
    for order in permutations(sizes.items()):
        assert prepare(path, splits=dict(order)) == expected


def test_larger_later_splits_leave_earlier_ones_as_they_are(rows: list[Row], path: Path) -> None:
    write_csv(path, rows)
    small, large = (
        splits_of(prepare(path, splits={"tested": 5, "training": size})[0]) for size in (3, 20)
    )
    assert small.items() <= large.items()


def test_seed_decides_the_splits(rows: list[Row], path: Path) -> None:
    write_csv(path, rows)
    sampled = [splits_of(prepare(path, splits=SIZES, seed=seed)[0]) for seed in (1, 2, 1)]
    assert sampled[0] == sampled[2] != sampled[1]


@pytest.mark.parametrize("max_chars", [None, 20])
def test_examples_are_set_apart_even_if_too_long(
    max_chars: int | None, rows: list[Row], path: Path
) -> None:
    long = {"text": "a long example " * 5, "label": 1}
    examples = {id_of("text number 3"): ("good",), id_of(long["text"]): ("good",)}
    write_csv(path, [*rows, long])
    prepared, counts = prepare(
        path, examples=examples, max_chars=max_chars, splits={"tested": 10, "training": None}
    )
    splits = splits_of(prepared)
    assert {key for key, split in splits.items() if split == "examples"} == set(examples)
    assert Counter(splits.values()) == {"examples": 2, "tested": 10, "training": 19}
    assert counts.longer_than_max_chars == (1 if max_chars else 0)


def test_examples_do_not_move_other_texts_out_of_the_tested_split(
    rows: list[Row], path: Path
) -> None:
    write_csv(path, rows)
    before = splits_of(prepare(path, splits={"tested": 10, "training": None})[0])
    example = next(key for key, split in before.items() if split == "training")
    labels = {row["original_id"]: row["labels"] for row in prepare(path)[0]}
    chosen = {example: tuple(labels[example])}
    after = splits_of(prepare(path, splits={"tested": 10}, examples=chosen)[0])
    tested = {key for key, split in before.items() if split == "tested"}
    assert {key for key, split in after.items() if split == "tested"} == tested


# Splits that the dataset gives.


def _numbers(rows: Sequence[Row], split: str) -> list[int]:
    """The numbers in the texts of a split."""
    return sorted(int(row["text"].split()[-1]) for row in rows if row["split"] == split)


def test_values_of_the_split_column_make_the_splits_and_all_texts_are_tested(given: Path) -> None:
    rows, counts = prepare(given, split_column="part", splits=GIVEN)
    assert _numbers(rows, "training") == list(range(18))
    assert _numbers(rows, "validation") == list(range(18, 24))
    assert _numbers(rows, "held_out") == list(range(24, 30))
    assert ids_tested(rows) == set(splits_of(rows))
    assert counts == Counts(rows=30, texts=30)


def test_several_values_make_one_split(given: Path) -> None:
    splits = {"tested": 1, "training": ["train", "dev"]}
    rows, _ = prepare(given, split_column="part", splits=splits)
    assert _numbers(rows, "training") == list(range(24))


def test_tested_texts_are_drawn_from_all_whatever_split_gives_them(given: Path) -> None:
    sampled, _ = prepare(given, splits={"tested": 12})
    rows, _ = prepare(given, split_column="part", splits=GIVEN | {"tested": 12})
    assert ids_tested(rows) == ids_tested(sampled)
    assert {"training", "held_out"} <= {row["split"] for row in rows if row["tested"]}
    assert len(rows) == 30


def test_text_of_no_other_split_is_in_the_corpus_only_if_tested(given: Path) -> None:
    splits = {"tested": 12, "training": "train"}
    rows, _ = prepare(given, split_column="part", splits=splits)
    others = {row["original_id"] for row in rows if row["split"] == "tested"}
    assert len(others) == 12 - len(ids_tested(rows) & {r["original_id"] for r in rows} - others)
    assert others == ids_tested(rows) - {id_of(f"text number {i}") for i in range(18)}
    assert others


def test_tested_texts_may_be_those_of_a_value_that_makes_another_split(given: Path) -> None:
    splits = {"tested": ["test", "dev"], "held_out": "test"}
    rows, _ = prepare(given, split_column="part", splits=splits)
    assert ids_tested(rows) == {id_of(f"text number {i}") for i in range(18, 30)}
    assert _numbers(rows, "held_out") == list(range(24, 30))
    assert _numbers(rows, "tested") == list(range(18, 24))


def test_splits_drawn_beside_given_ones_are_disjoint_from_all(given: Path) -> None:
    splits = {"tested": 5, "training": "train", "calibration": 4, "validation": None}
    rows, _ = prepare(given, split_column="part", splits=splits)
    sampled = {row["original_id"] for row in rows if row["split"] in ("calibration", "validation")}
    assert not sampled & ids_tested(rows)
    assert Counter(splits_of(rows).values())["calibration"] == 4
    assert set(splits_of(rows)) == {id_of(f"text number {i}") for i in range(30)}
    assert _numbers(rows, "training") == list(range(18))


def test_order_of_rows_changes_no_given_split(given: Path, rows: list[Row]) -> None:
    splits = GIVEN | {"tested": 7}
    expected = prepare(given, split_column="part", splits=splits)
    header, *lines = given.read_text(encoding="utf-8").splitlines()
    random.Random(1).shuffle(lines)
    given.write_text("\n".join([header, *lines]), encoding="utf-8")
    assert prepare(given, split_column="part", splits=splits) == expected


def test_first_of_equal_texts_keeps_its_split_and_the_others_are_counted(path: Path) -> None:
    parts = {"a": "train", "b": "test"}
    content = [{"text": text, "label": 0, "part": part} for text, part in parts.items()]
    content += [{"text": "a", "label": 0, "part": "test"}, {"text": "b", "label": 0, "part": "dev"}]
    write_csv(path, [*content, {"text": "c", "label": 0, "part": "dev"}])
    rows, counts = prepare(path, split_column="part", splits=GIVEN)
    assert {row["text"]: row["split"] for row in rows} == {
        "a": "training",
        "b": "held_out",
        "c": "validation",
    }
    assert counts == Counts(rows=5, duplicates=2, texts=3)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"splits": GIVEN},
            "key 'mine.splits.held_out': found 'test'; expected a number of texts, or null",
        ),
        (
            {"splits": {"tested": "test"}},
            "key 'mine.splits.tested': found 'test'; expected a number of texts, or null",
        ),
        (
            {"split_column": "part", "splits": GIVEN | {"validation": "valid"}},
            "split 'validation': found the value 'valid', which no text has;",
        ),
        (
            {"split_column": "part", "splits": {"tested": "Test"}},
            "split 'tested': found the value 'Test', which no text has;",
        ),
        (
            {"split_column": "part", "splits": GIVEN | {"validation": ["dev", "test"]}},
            "split 'validation': found the value 'test', which makes the split 'held_out';",
        ),
        (
            {"split_column": "part", "splits": GIVEN | {"tested": 31}},
            "split 'tested': found 30 texts left to sample; expected 31.",
        ),
        (
            {"split_column": "part", "splits": GIVEN | {"calibration": 1}},
            "split 'calibration': found 0 texts left to sample; expected 1.",
        ),
        (
            {"split_column": "split", "splits": GIVEN},
            "line 1: found the columns text, label, part; expected a column 'split'.",
        ),
    ],
)
def test_given_splits_that_cannot_be_had_are_refused(
    changes: dict[str, Any], said: str, given: Path
) -> None:
    assert said in refusal_of(given, **changes)
