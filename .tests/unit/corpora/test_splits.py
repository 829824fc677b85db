"""Splits, drawn or given, that no order can change."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hinter.corpora import Counts
from users_files import (
    GIVEN,
    SIZES,
    Row,
    id_of,
    ids_tested,
    prepare,
    refusal_of,
    splits_of,
    texts_of,
    write_csv,
)


def test_splits_have_the_sizes_asked_for(rows: list[Row], path: Path) -> None:
    prepared, counts = prepare(write_csv(path, rows), splits=SIZES)
    assert Counter(splits_of(prepared).values()) == SIZES
    assert counts.texts == len(rows)


def test_null_takes_all_that_is_left(rows: list[Row], path: Path) -> None:
    sizes = {"tested": 4, "held_out": 3, "training": None}
    prepared, _ = prepare(write_csv(path, rows), splits=sizes)
    assert Counter(splits_of(prepared).values()) == sizes | {"training": 23}
    assert texts_of(prepared) == texts_of(rows)


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
    drawn = [splits_of(prepare(path, splits=SIZES, seed=seed)[0]) for seed in (1, 2, 1)]
    assert drawn[0] == drawn[2] != drawn[1]


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
    drawn, _ = prepare(given, splits={"tested": 12})
    rows, _ = prepare(given, split_column="part", splits=GIVEN | {"tested": 12})
    assert ids_tested(rows) == ids_tested(drawn)
    assert {"training", "held_out"} <= {row["split"] for row in rows if row["tested"]}
    assert len(rows) == 30


def test_text_of_no_other_split_is_in_the_corpus_only_if_tested(given: Path) -> None:
    splits = {"tested": 12, "training": "train"}
    rows, _ = prepare(given, split_column="part", splits=splits)
    beside = {row["original_id"] for row in rows if row["split"] == "tested"}
    assert len(beside) == 12 - len(ids_tested(rows) & {r["original_id"] for r in rows} - beside)
    assert beside == ids_tested(rows) - {id_of(f"text number {i}") for i in range(18)}
    assert beside


def test_tested_texts_may_be_those_of_a_value_that_makes_another_split(given: Path) -> None:
    splits = {"tested": ["test", "dev"], "held_out": "test"}
    rows, _ = prepare(given, split_column="part", splits=splits)
    assert ids_tested(rows) == {id_of(f"text number {i}") for i in range(18, 30)}
    assert _numbers(rows, "held_out") == list(range(24, 30))
    assert _numbers(rows, "tested") == list(range(18, 24))


def test_splits_drawn_beside_given_ones_are_disjoint_from_all(given: Path) -> None:
    splits = {"tested": 5, "training": "train", "calibration": 4, "validation": None}
    rows, _ = prepare(given, split_column="part", splits=splits)
    drawn = {row["original_id"] for row in rows if row["split"] in ("calibration", "validation")}
    assert not drawn & ids_tested(rows)
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
    assert said in refusal_of(given, **changes)
