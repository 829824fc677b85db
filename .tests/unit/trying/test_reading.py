"""Which texts are tried, and which are refused."""

from pathlib import Path

import pytest
from hinter.errors import InputError
from hinter.trying import read_tried


def test_each_line_of_a_file_is_a_text_once(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("\ufeffA blind man.\r\n\nA film.\nA film.\n", encoding="utf-8")
    assert [text.text for text in read_tried(None, file=str(path))] == ["A blind man.", "A film."]


def test_one_text_is_kept_as_it_is() -> None:
    assert [text.text for text in read_tried("A blind man.", file=None)] == ["A blind man."]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"", "found no text"),
        (b" \n\n", "found no text"),
        (b"A film.\na\0b\n", "line 2: found a NUL character"),
        (b"A film.\nCaf\xe9\n", "line 2: found the byte 0xe9"),
    ],
)
def test_a_bad_file_is_refused_with_one_line(tmp_path: Path, written: bytes, told: str) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes(written)
    with pytest.raises(InputError, match=told):
        read_tried(None, file=str(path))


def test_neither_both_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found neither"):
        read_tried(None, file=None)
    with pytest.raises(InputError, match="found both"):
        read_tried("A film.", file="texts.txt")
    with pytest.raises(InputError, match="no such file"):
        read_tried(None, file=str(tmp_path / "none.txt"))
