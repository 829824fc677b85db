"""Which texts are tried, and which are refused."""

import subprocess
import sys
from pathlib import Path

import hinter
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


def test_texts_are_read_from_standard_input() -> None:
    program = (
        "from hinter.trying import read_tried\n"
        "print(*[text.text for text in read_tried(None, file='-')], sep='|')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(hinter.__file__).parents[1],
        input="\ufeff# 1: a nurse\r\n\n- a 'blind' man\nCaf\u00e9\n",
        encoding="utf-8",
        capture_output=True,
        check=True,
    )
    assert done.stdout.strip() == "# 1: a nurse|- a 'blind' man|Caf\u00e9"


def test_all_lines_that_cannot_be_tried_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes(b"A film.\na\0b\nA play.\n\0\n")
    with pytest.raises(InputError) as caught:
        read_tried(None, file=str(path))
    first, *faults = str(caught.value).splitlines()
    assert "found 2 faults" in first
    for number, told in zip((2, 4), faults, strict=True):
        assert f"line {number}: found a NUL" in told
