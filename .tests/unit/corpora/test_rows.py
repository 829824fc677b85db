"""Rows of files of all kinds."""

from pathlib import Path

import pytest
from users_files import SIZES, WRITERS, Row, prepare, texts_of, write_csv


def test_kinds_of_files_give_the_same_corpus(rows: list[Row], tmp_path: Path) -> None:
    texts = ['with, comma and "quotes"', "two\nlines", "\u00e9\U0001f600 {braces} \\n"]
    rows = [*rows, *({"text": text, "label": 1} for text in texts)]
    paths = [writer(tmp_path / f"texts{suffix}", rows) for suffix, writer in WRITERS.items()]
    first, *others = [prepare(path, splits=SIZES | {"training": None}) for path in paths]
    assert set(texts) < texts_of(first[0])
    assert others == [first, first]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_byte_order_mark_is_no_part_of_the_file(
    suffix: str, rows: list[Row], tmp_path: Path
) -> None:
    path = WRITERS[suffix](tmp_path / f"texts{suffix}", rows)
    expected = prepare(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert prepare(path) == expected


def test_column_without_a_name_is_no_hindrance(rows: list[Row], path: Path) -> None:
    expected = prepare(write_csv(path, rows))
    numbered = [{"": number} | row for number, row in enumerate(rows)]
    assert prepare(write_csv(path, numbered)) == expected
