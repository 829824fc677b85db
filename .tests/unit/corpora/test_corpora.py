"""Corpora: stable ids, faithful texts, counted losses, and splits that no order can change."""

import csv
import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import prepare_corpus as script
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.config import Datasets, check_sheet
from hinter.corpora import (
    CORPUS_SCHEMA,
    Counts,
    SplitShard,
    label_names,
    prepare_corpus,
    read_examples,
    read_split,
)
from hinter.corpora.sampling import draw_splits
from hinter.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = ROOT / "workflow" / "scripts"
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


def _sheet(**changes: Any) -> dict[str, Any]:
    sheets = check_sheet({"mine": DATASET | changes}, Datasets, where="mine.yaml")
    return sheets.root["mine"].model_dump()


def _id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _write_csv(path: Path, rows: Sequence[Row]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def _write_json(path: Path, rows: Sequence[Row]) -> Path:
    lines = (json.dumps(row) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def _write_parquet(path: Path, rows: Sequence[Row]) -> Path:
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


WRITERS = {".csv": _write_csv, ".jsonl": _write_json, ".parquet": _write_parquet}


def _prepare(
    path: Path,
    *,
    examples: Mapping[str, tuple[str, ...]] | None = None,
    seed: int = 1,
    **changes: Any,
) -> tuple[list[Row], Counts]:
    table, counts = prepare_corpus(
        path, sheet=_sheet(**changes), examples=examples or {}, seed=seed
    )
    assert table.schema == CORPUS_SCHEMA
    rows = table.to_pylist()
    ids = [row["original_id"] for row in rows]
    assert ids == sorted(set(ids))
    return rows, counts


def _texts(rows: Sequence[Row]) -> set[str]:
    return {row["text"] for row in rows}


def _splits(rows: Sequence[Row]) -> dict[str, str]:
    return {row["original_id"]: row["split"] for row in rows}


def _tested(rows: Sequence[Row]) -> set[str]:
    return {row["original_id"] for row in rows if row["tested"]}


def _refusal(path: Path, **changes: Any) -> str:
    with pytest.raises(InputError) as caught:
        _prepare(path, **changes)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture
def rows() -> list[Row]:
    """Thirty distinct texts."""
    return [{"text": f"text number {i}", "label": i % 2} for i in range(30)]


@pytest.fixture
def given(path: Path) -> Path:
    """Thirty texts with splits of their own: 18 to train, 6 to develop, 6 to test."""
    parts = ["train"] * 18 + ["dev"] * 6 + ["test"] * 6
    content = [
        {"text": f"text number {i}", "label": i % 2, "part": part} for i, part in enumerate(parts)
    ]
    return _write_csv(path, content)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "texts.csv"


# Identity.


def test_original_id_is_a_digest_of_the_cleaned_text(path: Path) -> None:
    _write_csv(path, [{"text": "a<br />b", "label": 0}])
    ((row,), _) = _prepare(path, replacements={"<br />": " "})
    assert row == {
        "original_id": _id("a b"),
        "split": "tested",
        "tested": True,
        "text": "a b",
        "labels": ["bad"],
        "example": None,
    }


@pytest.mark.parametrize("order", [0, 1, 2])
def test_order_of_rows_changes_nothing(order: int, rows: list[Row], path: Path) -> None:
    expected = _prepare(_write_csv(path, rows), splits=SIZES)
    random.Random(order).shuffle(rows)
    assert _prepare(_write_csv(path, rows), splits=SIZES) == expected


def test_files_written_are_the_same_bytes_for_any_hash_seed(
    rows: list[Row], path: Path, tmp_path: Path
) -> None:
    _write_csv(path, rows)
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
            "sheet": _sheet(splits=SIZES),
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
    rows, counts = _prepare(_write_csv(path, content), replacements={"<br />": " "})
    kept = {row["text"]: row["labels"] for row in rows}
    assert kept == {"same": ["bad"], "other": ["bad"], "sa me": ["good"], "Same": ["good"]}
    assert counts == Counts(rows=7, duplicates=3, texts=4)


# Faithful texts.


def test_only_listed_strings_are_replaced(path: Path) -> None:
    text = ' One<br /><br/><BR /> &amp;  two\t"three", cafe\u0301 caf\u00e9\r\nfour \u2028 '
    rows, _ = _prepare(_write_csv(path, [{"text": text, "label": 0}]), replacements={"<br />": " "})
    expected = ' One <br/><BR /> &amp;  two\t"three", cafe\u0301 caf\u00e9\r\nfour \u2028 '
    assert _texts(rows) == {expected}


def test_text_without_replacements_is_left_as_it_is(path: Path) -> None:
    rows, _ = _prepare(_write_csv(path, [{"text": "a<br />b", "label": 0}]))
    assert _texts(rows) == {"a<br />b"}


def test_replacements_are_applied_as_they_stand_and_in_their_order(path: Path) -> None:
    _write_csv(path, [{"text": "a.b..c+d", "label": 0}])
    rows, _ = _prepare(path, replacements={"..": "-", ".": "_", "+": "."})
    assert _texts(rows) == {"a_b-c.d"}


def test_rows_beside_the_filter_are_left_out_and_counted(path: Path) -> None:
    content = [
        {"text": "kept", "label": 0, "source": "imdb", "part": "1"},
        {"text": "", "label": 9, "source": "other", "part": "1"},
        {"text": "left out", "label": 0, "source": "imdb", "part": "2"},
    ]
    where = {"source": "imdb", "part": "1"}
    rows, counts = _prepare(_write_csv(path, content), where=where)
    assert _texts(rows) == {"kept"}
    assert counts == Counts(rows=3, left_out_by_filter=2, texts=1)


def test_texts_longer_than_max_chars_are_left_out_and_counted(path: Path) -> None:
    texts = ["x" * 9, "x" * 10, "x" * 11, "x" * 8 + "<br />" + "y"]
    content = [{"text": text, "label": 0} for text in [*texts, "x" * 11]]
    rows, counts = _prepare(_write_csv(path, content), max_chars=10, replacements={"<br />": " "})
    assert _texts(rows) == {"x" * 9, "x" * 10, "x" * 8 + " y"}
    assert counts == Counts(rows=5, longer_than_max_chars=1, duplicates=1, texts=3)


def test_max_chars_null_keeps_texts_of_any_length(path: Path) -> None:
    rows, _ = _prepare(_write_csv(path, [{"text": "x" * 200_000, "label": 0}]))
    assert _texts(rows) == {"x" * 200_000}


# Splits.


def test_splits_have_the_sizes_asked_for(rows: list[Row], path: Path) -> None:
    prepared, counts = _prepare(_write_csv(path, rows), splits=SIZES)
    assert Counter(_splits(prepared).values()) == SIZES
    assert counts.texts == len(rows)


def test_null_takes_all_that_is_left(rows: list[Row], path: Path) -> None:
    sizes = {"tested": 4, "held_out": 3, "training": None}
    prepared, _ = _prepare(_write_csv(path, rows), splits=sizes)
    assert Counter(_splits(prepared).values()) == sizes | {"training": 23}
    assert _texts(prepared) == _texts(rows)


def test_order_of_splits_in_the_sheet_changes_nothing(rows: list[Row], path: Path) -> None:
    _write_csv(path, rows)
    sizes = {"tested": 4, "held_out": 3, "training": None}
    expected = _prepare(path, splits=sizes)
    for order in permutations(sizes.items()):
        assert _prepare(path, splits=dict(order)) == expected


def test_larger_later_splits_leave_earlier_ones_as_they_are(rows: list[Row], path: Path) -> None:
    _write_csv(path, rows)
    small, large = (
        _splits(_prepare(path, splits={"tested": 5, "training": size})[0]) for size in (3, 20)
    )
    assert small.items() <= large.items()


def test_seed_decides_the_splits(rows: list[Row], path: Path) -> None:
    _write_csv(path, rows)
    drawn = [_splits(_prepare(path, splits=SIZES, seed=seed)[0]) for seed in (1, 2, 1)]
    assert drawn[0] == drawn[2] != drawn[1]


def test_drawing_favours_no_text() -> None:
    """Each of 30 texts is drawn for 10 places about 100 times in 300 (5 sigma: 41)."""
    ids = [_id(f"text number {i}") for i in range(30)]
    drawn: Counter[str] = Counter()
    for seed in range(300):
        drawn.update(draw_splits(ids, sizes={"tested": 10}, seed=seed).keys())
    assert sorted(drawn) == sorted(ids)
    assert all(59 <= count <= 141 for count in drawn.values())


@pytest.mark.parametrize("max_chars", [None, 20])
def test_examples_are_set_apart_even_if_too_long(
    max_chars: int | None, rows: list[Row], path: Path
) -> None:
    long = {"text": "a long example " * 5, "label": 1}
    examples = {_id("text number 3"): ("good",), _id(long["text"]): ("good",)}
    _write_csv(path, [*rows, long])
    prepared, counts = _prepare(
        path, examples=examples, max_chars=max_chars, splits={"tested": 10, "training": None}
    )
    splits = _splits(prepared)
    assert {key for key, split in splits.items() if split == "examples"} == set(examples)
    assert Counter(splits.values()) == {"examples": 2, "tested": 10, "training": 19}
    assert counts.longer_than_max_chars == (1 if max_chars else 0)


def test_examples_do_not_move_other_texts_out_of_the_tested_split(
    rows: list[Row], path: Path
) -> None:
    _write_csv(path, rows)
    before = _splits(_prepare(path, splits={"tested": 10, "training": None})[0])
    example = next(key for key, split in before.items() if split == "training")
    labels = {row["original_id"]: row["labels"] for row in _prepare(path)[0]}
    chosen = {example: tuple(labels[example])}
    after = _splits(_prepare(path, splits={"tested": 10}, examples=chosen)[0])
    tested = {key for key, split in before.items() if split == "tested"}
    assert {key for key, split in after.items() if split == "tested"} == tested


# Splits that the dataset gives.


def _numbers(rows: Sequence[Row], split: str) -> list[int]:
    """The numbers in the texts of a split."""
    return sorted(int(row["text"].split()[-1]) for row in rows if row["split"] == split)


def test_values_of_the_split_column_make_the_splits_and_all_texts_are_tested(given: Path) -> None:
    rows, counts = _prepare(given, split_column="part", splits=GIVEN)
    assert _numbers(rows, "training") == list(range(18))
    assert _numbers(rows, "validation") == list(range(18, 24))
    assert _numbers(rows, "held_out") == list(range(24, 30))
    assert _tested(rows) == set(_splits(rows))
    assert counts == Counts(rows=30, texts=30)


def test_several_values_make_one_split(given: Path) -> None:
    splits = {"tested": 1, "training": ["train", "dev"]}
    rows, _ = _prepare(given, split_column="part", splits=splits)
    assert _numbers(rows, "training") == list(range(24))


def test_tested_texts_are_drawn_from_all_whatever_split_gives_them(given: Path) -> None:
    drawn, _ = _prepare(given, splits={"tested": 12})
    rows, _ = _prepare(given, split_column="part", splits=GIVEN | {"tested": 12})
    assert _tested(rows) == _tested(drawn)
    assert {"training", "held_out"} <= {row["split"] for row in rows if row["tested"]}
    assert len(rows) == 30


def test_text_of_no_other_split_is_in_the_corpus_only_if_tested(given: Path) -> None:
    splits = {"tested": 12, "training": "train"}
    rows, _ = _prepare(given, split_column="part", splits=splits)
    beside = {row["original_id"] for row in rows if row["split"] == "tested"}
    assert len(beside) == 12 - len(_tested(rows) & {r["original_id"] for r in rows} - beside)
    assert beside == _tested(rows) - {_id(f"text number {i}") for i in range(18)}
    assert beside


def test_tested_texts_may_be_those_of_a_value_that_makes_another_split(given: Path) -> None:
    splits = {"tested": ["test", "dev"], "held_out": "test"}
    rows, _ = _prepare(given, split_column="part", splits=splits)
    assert _tested(rows) == {_id(f"text number {i}") for i in range(18, 30)}
    assert _numbers(rows, "held_out") == list(range(24, 30))
    assert _numbers(rows, "tested") == list(range(18, 24))


def test_splits_drawn_beside_given_ones_are_disjoint_from_all(given: Path) -> None:
    splits = {"tested": 5, "training": "train", "calibration": 4, "validation": None}
    rows, _ = _prepare(given, split_column="part", splits=splits)
    drawn = {row["original_id"] for row in rows if row["split"] in ("calibration", "validation")}
    assert not drawn & _tested(rows)
    assert Counter(_splits(rows).values())["calibration"] == 4
    assert set(_splits(rows)) == {_id(f"text number {i}") for i in range(30)}
    assert _numbers(rows, "training") == list(range(18))


def test_order_of_rows_changes_no_given_split(given: Path, rows: list[Row]) -> None:
    splits = GIVEN | {"tested": 7}
    expected = _prepare(given, split_column="part", splits=splits)
    header, *lines = given.read_text(encoding="utf-8").splitlines()
    random.Random(1).shuffle(lines)
    given.write_text("\n".join([header, *lines]), encoding="utf-8")
    assert _prepare(given, split_column="part", splits=splits) == expected


def test_first_of_equal_texts_keeps_its_split_and_the_others_are_counted(path: Path) -> None:
    parts = {"a": "train", "b": "test"}
    content = [{"text": text, "label": 0, "part": part} for text, part in parts.items()]
    content += [{"text": "a", "label": 0, "part": "test"}, {"text": "b", "label": 0, "part": "dev"}]
    _write_csv(path, [*content, {"text": "c", "label": 0, "part": "dev"}])
    rows, counts = _prepare(path, split_column="part", splits=GIVEN)
    assert {row["text"]: row["split"] for row in rows} == {
        "a": "training",
        "b": "held_out",
        "c": "validation",
    }
    assert counts == Counts(rows=5, duplicates=2, texts=3)


def test_tested_texts_are_read_from_every_split(given: Path, tmp_path: Path) -> None:
    table, _ = prepare_corpus(
        given, sheet=_sheet(split_column="part", splits=GIVEN | {"tested": 11}), examples={}, seed=1
    )
    corpus = tmp_path / "corpus.parquet"
    pq.write_table(table, corpus)
    expected = [row["original_id"] for row in table.to_pylist() if row["tested"]]
    assert [text.original_id for text in read_split(corpus, split="tested")] == expected
    shards = [SplitShard(corpus, split="tested", shard=shard, shards=3) for shard in (1, 2, 3)]
    assert [text.original_id for shard in shards for text in shard] == expected
    assert len(read_split(corpus, split="training")) == 18


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
            "split 'tested': found 30 texts left to draw; expected 31.",
        ),
        (
            {"split_column": "part", "splits": GIVEN | {"calibration": 1}},
            "split 'calibration': found 0 texts left to draw; expected 1.",
        ),
        (
            {"split_column": "split", "splits": GIVEN},
            "line 2: found the columns text, label, part; expected a column 'split'.",
        ),
    ],
)
def test_given_splits_that_cannot_be_had_are_refused(
    changes: dict[str, Any], said: str, given: Path
) -> None:
    assert said in _refusal(given, **changes)


# Few-shot examples.


def test_examples_are_named_by_the_prompt_and_read_in_its_order(
    given: Path, tmp_path: Path
) -> None:
    names = {"test:2": ("bad",), _id("text number 5"): ("good",), "train:17": ("good",)}
    sheet = _sheet(split_column="part", splits=GIVEN)
    table, _ = prepare_corpus(given, sheet=sheet, examples=names, seed=1)
    pq.write_table(table, tmp_path / "corpus.parquet")
    read = read_examples(tmp_path / "corpus.parquet", list(names))
    assert [text.text for text in read] == ["text number 26", "text number 5", "text number 17"]
    assert [text.labels for text in read] == list(names.values())
    apart = {row["original_id"]: row for row in table.to_pylist() if row["example"]}
    assert set(apart) == {text.original_id for text in read}
    assert {row["split"] for row in apart.values()} == {"examples"}
    assert not any(row["tested"] for row in apart.values())
    assert _tested(table.to_pylist()) == {_id(f"text number {i}") for i in range(30)} - set(apart)


def test_rows_of_a_split_are_counted_with_duplicates_and_without_those_left_out(
    path: Path,
) -> None:
    texts = ["a", "left out", "a", "b", "c"]
    content = [
        {"text": text, "label": 0, "part": "train", "kind": text == "left out"} for text in texts
    ]
    content.insert(2, {"text": "d", "label": 0, "part": "test", "kind": False})
    rows, counts = _prepare(
        _write_csv(path, content),
        where={"kind": "False"},
        split_column="part",
        splits={"tested": None},
        examples={"train:2": ("bad",), "test:0": ("bad",)},
    )
    named = {row["example"]: row["text"] for row in rows if row["example"]}
    assert named == {"train:2": "b", "test:0": "d"}
    assert counts == Counts(rows=6, left_out_by_filter=1, duplicates=1, texts=4)


def test_examples_of_a_dataset_without_labels_need_none(path: Path) -> None:
    _write_csv(path, [{"text": "a"}, {"text": "b"}])
    examples = {_id("a"): ("good",)}
    rows, _ = _prepare(path, label=None, label_names={}, examples=examples)
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
            {"train:1": ("good",), _id("text number 1"): ("good",)},
            f"'{_id('text number 1')}': found the text of the example 'train:1'; expected another",
        ),
    ],
)
def test_examples_that_are_not_what_the_prompt_says_are_refused(
    examples: dict[str, tuple[str, ...]], said: str, given: Path
) -> None:
    assert said in _refusal(given, split_column="part", splits=GIVEN, examples=examples)


def test_row_of_a_split_names_nothing_without_a_split_column(given: Path) -> None:
    assert "found no row 1 of 'train'" in _refusal(given, examples={"train:1": ("good",)})


# Kinds of files and labels.


def test_kinds_of_files_give_the_same_corpus(rows: list[Row], tmp_path: Path) -> None:
    texts = ['with, comma and "quotes"', "two\nlines", "\u00e9\U0001f600 {braces} \\n"]
    rows = [*rows, *({"text": text, "label": 1} for text in texts)]
    paths = [writer(tmp_path / f"texts{suffix}", rows) for suffix, writer in WRITERS.items()]
    first, *others = [_prepare(path, splits=SIZES | {"training": None}) for path in paths]
    assert set(texts) < _texts(first[0])
    assert others == [first, first]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_byte_order_mark_is_no_part_of_the_file(
    suffix: str, rows: list[Row], tmp_path: Path
) -> None:
    path = WRITERS[suffix](tmp_path / f"texts{suffix}", rows)
    expected = _prepare(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert _prepare(path) == expected


def test_column_without_a_name_is_no_hindrance(rows: list[Row], path: Path) -> None:
    expected = _prepare(_write_csv(path, rows))
    numbered = [{"": number} | row for number, row in enumerate(rows)]
    assert _prepare(_write_csv(path, numbered)) == expected


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_lists_of_labels_are_named_sorted_and_distinct(suffix: str, tmp_path: Path) -> None:
    cells = {"none": [], "one": [2], "several": [3, 1, 2], "of one name": [2, 4]}
    content = [{"text": text, "label": cell} for text, cell in cells.items()]
    path = WRITERS[suffix](tmp_path / f"texts{suffix}", content)
    names = {"1": "joy", "2": "anger", "3": "fear", "4": "anger"}
    rows, _ = _prepare(path, label_names=names, multi_label=True)
    assert {row["text"]: row["labels"] for row in rows} == {
        "none": [],
        "one": ["anger"],
        "several": ["anger", "fear", "joy"],
        "of one name": ["anger"],
    }


def test_list_of_label_names_names_the_values_themselves(path: Path) -> None:
    content = [{"text": "a", "label": "No Waivers"}, {"text": "b", "label": "Waivers"}]
    names = ["Waivers", "No Waivers"]
    rows, _ = _prepare(_write_csv(path, content), label_names=names)
    assert {row["text"]: row["labels"] for row in rows} == {"a": ["No Waivers"], "b": ["Waivers"]}
    assert list(label_names(_sheet(label_names=names)).values()) == names


def test_labels_without_a_name_are_left_out_if_the_sheet_says_so(tmp_path: Path) -> None:
    cells = {"all known": ["1", "2"], "one of two": ["13", "1"], "none known": ["13"]}
    content = [{"text": text, "label": cell} for text, cell in cells.items()]
    path = _write_json(tmp_path / "texts.jsonl", content)
    names = {"1": "one", "2": "two"}
    rows, _ = _prepare(path, label_names=names, multi_label=True, other_labels="leave_out")
    assert {row["text"]: row["labels"] for row in rows} == {
        "all known": ["one", "two"],
        "one of two": ["one"],
        "none known": [],
    }
    assert "found the label '13'" in _refusal(path, label_names=names, multi_label=True)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ([0, 1], "found 2 labels (0, 1); expected one label."),
        ([], "found 0 labels (); expected one label."),
        ([7], "found 0 labels (7); expected one label."),
    ],
)
def test_dataset_of_one_label_each_refuses_other_numbers_of_them(
    cell: list[int], said: str, tmp_path: Path
) -> None:
    content = [{"text": "a", "label": [1]}, {"text": "b", "label": cell}]
    path = _write_json(tmp_path / "texts.jsonl", content)
    message = _refusal(path, other_labels="leave_out")
    assert f"{path}, line 2, column 'label': {said}" in message


def test_rows_of_any_accepted_value_are_used(path: Path) -> None:
    content = [{"text": source, "label": 0, "source": source} for source in ("a", "b", "c")]
    rows, counts = _prepare(_write_csv(path, content), where={"source": ["a", "c"]})
    assert _texts(rows) == {"a", "c"}
    assert counts == Counts(rows=3, left_out_by_filter=1, texts=2)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_paragraphs_are_joined_with_line_breaks(suffix: str, tmp_path: Path) -> None:
    content = [{"text": ["1. One.", "", "2.<br />Two."], "label": 0}]
    path = WRITERS[suffix](tmp_path / f"texts{suffix}", content)
    rows, _ = _prepare(path, replacements={"<br />": " "})
    assert _texts(rows) == {"1. One.\n\n2. Two."}


@pytest.mark.parametrize(
    ("cell", "found"), [([], "no text"), (["", " "], "no text"), (["a", 1], "['a', 1]")]
)
def test_paragraphs_that_make_no_text_are_refused(
    cell: list[Any], found: str, tmp_path: Path
) -> None:
    path = _write_json(tmp_path / "texts.jsonl", [{"text": cell, "label": 0}])
    assert f"line 1, column 'text': found {found}; expected a text." in _refusal(path)


def test_dataset_without_labels_has_none(path: Path) -> None:
    rows, _ = _prepare(_write_csv(path, [{"text": "a"}]), label=None, label_names={})
    assert [row["labels"] for row in rows] == [[]]


def test_one_split_is_read_in_the_order_of_its_ids(
    rows: list[Row], path: Path, tmp_path: Path
) -> None:
    table, _ = prepare_corpus(
        _write_csv(path, rows), sheet=_sheet(splits=SIZES), examples={}, seed=1
    )
    pq.write_table(table.take(list(reversed(range(table.num_rows)))), tmp_path / "c.parquet")
    texts = read_split(tmp_path / "c.parquet", split="tested")
    expected = [row for row in table.to_pylist() if row["split"] == "tested"]
    assert [text.original_id for text in texts] == [row["original_id"] for row in expected]
    assert [list(text.labels) for text in texts] == [row["labels"] for row in expected]


# The script.


def test_script_sets_the_examples_apart(rows: list[Row], path: Path, tmp_path: Path) -> None:
    _write_csv(path, rows)
    example = _id("text number 8")
    script.main(
        source=str(path),
        sheet=_sheet(),
        examples={example: ["bad"]},
        seed=1,
        corpus=str(tmp_path / "corpus.parquet"),
        counts=str(tmp_path / "counts.csv"),
    )
    written = _splits(pq.read_table(tmp_path / "corpus.parquet").to_pylist())
    assert [key for key, split in written.items() if split == "examples"] == [example]
    assert (tmp_path / "counts.csv").read_text(encoding="utf-8") == (
        "rows,left_out_by_filter,longer_than_max_chars,duplicates,texts\n30,0,0,0,30\n"
    )
