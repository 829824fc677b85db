"""Rows of files of all kinds."""

import gzip
from pathlib import Path

import pytest
from hinter.corpora.rows import read_rows
from hinter.errors import InputError
from packing import REVIEWS, pack, prepare_packed
from users_files import SIZES, WRITERS, Row, prepare, texts_of, users_sheet, write_csv


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


def _refusal(path: Path, *, member: str | None) -> str:
    """The one line on an archive (or another file) that cannot be read."""
    with pytest.raises(InputError) as caught:
        list(read_rows(path, member=member))
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def test_text_files_are_rows_in_the_archives_order(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.tar.gz", REVIEWS)
    rows = list(read_rows(path, member="aclImdb/train/[np]*/*.txt"))
    names = [name for name in REVIEWS if "/train/neg/" in name or "/train/pos/" in name]
    assert [place for place, _ in rows] == [f"{path}, member {name}" for name in names]
    assert rows[0][1] == {
        "folder": "aclImdb/train/neg",
        "folder_1": "aclImdb",
        "folder_2": "train",
        "folder_3": "neg",
        "text": "Poor.",
    }


@pytest.mark.parametrize(
    ("pattern", "number"),
    [
        ("aclImdb/*/*/*.txt", 7),
        ("./aclImdb/*/pos/*.txt", 3),
        ("aclImdb/*.txt", 0),
        ("aclImdb/*", 2),
        ("*.txt", 0),
        ("*/*/*.txt", 1),
        ("aclImdb/train/pos/0_7.txt", 1),
        ("train/pos/0_7.txt", 0),
    ],
)
def test_star_stands_for_names_within_one_folder(pattern: str, number: int, tmp_path: Path) -> None:
    path = pack(tmp_path / "a.tar.gz", REVIEWS)
    if number:
        assert len(list(read_rows(path, member=pattern))) == number
    else:
        assert f"found no member '{pattern}'" in _refusal(path, member=pattern)


def test_lines_of_a_text_file_are_kept_as_they_are(tmp_path: Path) -> None:
    text = "\ufeffone\r\ntwo \u2028 three\n\n four"
    path = pack(tmp_path / "a.tar.gz", {"a.txt": text})
    ((_, row),) = read_rows(path, member="a.txt")
    assert row == {"folder": "", "text": text[1:]}


def test_csv_and_json_members_give_their_rows(tmp_path: Path) -> None:
    members = {
        "a.csv": '\ufefftext,label\r\n"one\r\ntwo, ""three""",1\r\n',
        "b.jsonl": '{"text": "four", "label": 0}\n',
    }
    path = pack(tmp_path / "a.tar.gz", members)
    assert list(read_rows(path, member="a.csv")) == [
        (f"{path}, member a.csv, line 2", {"text": 'one\r\ntwo, "three"', "label": "1"})
    ]
    assert list(read_rows(path, member="?.*"))[1] == (
        f"{path}, member b.jsonl, line 1",
        {"text": "four", "label": 0},
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"text": "a"}\n{"text": }\n', "line 2: found broken JSON (Expecting value at column 10)"),
        ('{"text": "a"}\n[]\n', "line 2: found []; expected one JSON object per line."),
        (b'{"text": "a"}\n{"text": "caf\xe9"}\n', "line 2: found the byte 0xe9; expected UTF-8"),
    ],
)
def test_broken_line_of_a_member_is_named(content: str | bytes, said: str, tmp_path: Path) -> None:
    path = pack(tmp_path / "a.tar.gz", {"a/texts.jsonl": content})
    assert f"{path}, member a/texts.jsonl, {said}" in _refusal(path, member="a/texts.jsonl")


def test_broken_text_file_is_named(tmp_path: Path) -> None:
    path = pack(tmp_path / "a.tar.gz", {"a/0.txt": "fine", "a/1.txt": b"fine\n\xff"})
    said = f"{path}, member a/1.txt, line 2: found the byte 0xff; expected UTF-8 text."
    assert said in _refusal(path, member="a/*.txt")


def test_text_files_without_a_usable_text_are_refused_or_left_out(tmp_path: Path) -> None:
    members = {"a/0.txt": "fine", "a/1.txt": " \n", "a/2.txt": ""}
    path = pack(tmp_path / "a.tar.gz", members)
    sheet = users_sheet(member="a/*.txt", text="text")
    rows, counts = prepare_packed(path, sheet)
    assert ([row["text"] for row in rows], counts.empty) == (["fine"], 2)
    pack(path, members | {"a/3.txt": "a\0b"})
    place = f"{path}, member a/3.txt, column 'text': found the character U+0000; expected a text."
    with pytest.raises(InputError) as caught:
        prepare_packed(path, sheet)
    assert str(caught.value).startswith(place)


def test_missing_member_is_told_with_what_is_there(tmp_path: Path) -> None:
    members = {name: "" for name in ("a.txt", "b/c.txt", "d.txt", "e.txt")}
    path = pack(tmp_path / "a.tar.gz", members)
    found = "found no member 'ecthr.jsonl' (it begins with a.txt, b/c.txt, d.txt); expected"
    assert found in _refusal(path, member="ecthr.jsonl")


def test_archive_without_a_member_and_member_without_an_archive_are_refused(tmp_path: Path) -> None:
    assert "found no `member`;" in _refusal(pack(tmp_path / "a.tar.gz", {}), member=None)
    (tmp_path / "a.csv").write_text("text\na\n", encoding="utf-8")
    assert "found the member 'a.csv';" in _refusal(tmp_path / "a.csv", member="a.csv")


def _damaged(whole: bytes) -> dict[str, bytes]:
    unpacked = gzip.decompress(whole)
    half = len(unpacked) // 1024 * 512
    broken = unpacked[:half] + b"?" * 512 + unpacked[half + 512 :]
    return {
        "nothing": b"",
        "no archive": b"text,label\na,1\n",
        "not packed": unpacked,
        "half of it": whole[: len(whole) // 2],
        "all but its end": whole[:-4],
        "another checksum": whole[:-8] + bytes(4) + whole[-4:],
        "half of the members": gzip.compress(unpacked[:half]),
        "a member cut off": gzip.compress(unpacked[: half + 100]),
        "a broken header": gzip.compress(broken),
    }


@pytest.mark.parametrize("damage", _damaged(gzip.compress(b"")))
def test_damaged_archive_is_refused_and_nothing_of_it_is_lost_in_silence(
    damage: str, tmp_path: Path
) -> None:
    # Empty files, so that each block is a header.
    whole = pack(tmp_path / "a.tar.gz", {f"{number}.txt": "" for number in range(40)})
    assert len(list(read_rows(whole, member="*.txt"))) == 40
    path = tmp_path / "b.tar.gz"
    path.write_bytes(_damaged(whole.read_bytes())[damage])
    assert "; expected a whole .tar.gz archive. Fetch" in _refusal(path, member="*.txt")
