"""Tables as people have them go in as they are, or are refused with all their faults at once."""

import gzip
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import prepare_corpus as script
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.errors import MOST_REPORTED
from packing import pack
from users_files import Row, dataset_sheet, prepare, refusals_of, write_json

GOOD, BAD = ["good"], ["bad"]
BOTH = {"a": GOOD, "b": BAD}
SEVERAL = {"multi_label": True, "label_names": ["sexism", "racism"]}
ALL = {"a": ["racism", "sexism"], "b": ["racism"], "c": []}
TRUTH = {"label_names": {"true": "good", "false": "bad"}}


def archived(content: bytes) -> bytes:
    """Return an archive with a file of this content, `t.csv`."""
    with TemporaryDirectory() as folder:
        return pack(Path(folder, "t.tar.gz"), {"t.csv": content}).read_bytes()


def zstd(content: bytes) -> bytes:
    packed = pa.compress(content, codec="zstd")
    return packed.to_pybytes()


def lines(*rows: Row) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


class Table(NamedTuple):
    """A file, how its entry in the datasets sheet differs, and the labels of each text."""

    name: str
    content: str | bytes
    expected: dict[str, list[str]]
    changes: dict[str, Any] = {}  # noqa: RUF012


COMMAS = "text,label\na,1\nb,0\n"
NUMBERS = lines({"text": "a", "label": 1.0}, {"text": "b", "label": 0})
TABLES = {
    "semicolons": Table("t.csv", "text;label\na;1\nb;0\n", BOTH),
    "semicolons, and more of them than columns": Table(
        "t.csv", 'text,"x;y;z",label\na,,1\nb,;;,0\n', BOTH
    ),
    "tabs": Table("t.csv", "text\tlabel\na\t1\nb\t0\n", BOTH),
    "tabs, as the name says": Table("t.tsv", "text\tlabel\na\t1\nb\t0\n", BOTH),
    "bars": Table("t.csv", "text|label\na|1\nb|0\n", BOTH),
    "a line of Excel's": Table("t.csv", "\ufeffsep=;\r\ntext;label\r\na;1\r\nb;0\r\n", BOTH),
    "a delimiter that only that line tells": Table("t.csv", "sep=^\ntext^label\na^1\nb^0\n", BOTH),
    "UTF-16, as Excel writes it": Table("t.csv", COMMAS.replace(",", "\t").encode("utf-16"), BOTH),
    "line breaks of old": Table("t.csv", COMMAS.replace("\n", "\r"), BOTH),
    "a name in capitals": Table("T.CSV", COMMAS, BOTH),
    "columns without names at the end": Table("t.csv", "text,label,,\na,1,,\nb,0,,\n", BOTH),
    "rows without anything at the end": Table(
        "t.csv", "text,label\na,1\nb,0\n,\n , \n\n,,,\n", BOTH
    ),
    "delimiters at the end of rows": Table("t.csv", "text,label\na,1,\nb,0,,\n", BOTH),
    "spaces before quotes": Table("t.csv", 'text, "label"\n"a", "1"\nb, "0"\n', BOTH),
    "another column twice": Table("t.csv", "text,x,label,x\na,,1,\nb,,0,\n", BOTH),
    "padded names of columns": Table("t.csv", "text ; label\na;1\nb;0\n", BOTH),
    "padded labels": Table("t.csv", "text,label\na, 1\nb,0 \n", BOTH),
    "floats": Table("t.csv", "text,label\na,1.0\nb,0.00\n", BOTH),
    "floats in JSON": Table("t.jsonl", NUMBERS, BOTH),
    "floats in the sheet": Table(
        "t.jsonl", NUMBERS, BOTH, {"label_names": {"1.0": "good", "0.0": "bad"}}
    ),
    "booleans": Table("t.csv", "text,label\na,True\nb,FALSE\n", BOTH, TRUTH),
    "booleans in JSON": Table(
        "t.jsonl", '{"text": "a", "label": true}\n{"text": "b", "label": false}', BOTH, TRUTH
    ),
    "booleans for 1 and 0": Table("t.csv", "text,label\na,TRUE\nb,false\n", BOTH),
    "blank lines": Table("t.jsonl", "\n" + NUMBERS.replace("\n", "\n \n"), BOTH),
    "gzip": Table("t.csv.gz", gzip.compress(COMMAS.encode()), BOTH),
    "gzip in two parts": Table(
        "t.csv.gz", gzip.compress(COMMAS[:13].encode()) + gzip.compress(COMMAS[13:].encode()), BOTH
    ),
    "zstd": Table("t.jsonl.zst", zstd(NUMBERS.encode()), BOTH),
    "a padded filter": Table(
        "t.csv", "text,label,use\na,1,yes \nb,0,yes\nc,1,no\n", BOTH, {"where": {"use": "yes"}}
    ),
    "a filter by booleans": Table(
        "t.jsonl",
        lines({"text": "a", "label": 1, "use": True}, {"text": "b", "label": 0, "use": False}),
        {"a": GOOD},
        {"where": {"use": "true"}},
    ),
    "lists as JSON": Table(
        "t.csv", 'text,label\na,"[""sexism"", ""racism""]"\nb,"[""racism""]"\nc,[]\n', ALL, SEVERAL
    ),
    "lists as Python prints them": Table(
        "t.csv", "text,label\na,\"['sexism', 'racism']\"\nb,['racism']\nc,\n", ALL, SEVERAL
    ),
    "lists of numbers": Table(
        "t.csv",
        'text,label\na,"[0, 1]"\nb,[1.0]\nc,[]\n',
        ALL,
        SEVERAL | {"label_names": {"0": "sexism", "1": "racism"}},
    ),
    "labels with #": Table("t.csv", "text,label\na,sexism#racism\nb,racism\nc,\n", ALL, SEVERAL),
    "labels with bars": Table(
        "t.csv", "text,label\na,sexism|racism\nb,racism|\nc, \n", ALL, SEVERAL
    ),
    "labels with semicolons": Table(
        "t.csv", "text,label\na,sexism; racism\nb,racism\nc,\n", ALL, SEVERAL
    ),
    "labels with commas": Table(
        "t.csv", 'text,label\na,"sexism, racism"\nb,racism\nc,\n', ALL, SEVERAL
    ),
    "labels that have commas themselves": Table(
        "t.csv",
        'text,label\na,"iron, steel"\nb,"steel|iron, steel"\n',
        {"a": ["iron, steel"], "b": ["iron, steel", "steel"]},
        {"multi_label": True, "label_names": ["iron, steel", "steel"]},
    ),
    "labels of which some are left out": Table(
        "t.csv",
        "text,label\na,sexism#other\nb,other\n",
        {"a": ["sexism"], "b": []},
        SEVERAL | {"other_labels": "leave_out"},
    ),
    "null for no label": Table("t.jsonl", lines({"text": "a", "label": None}), {"a": []}, SEVERAL),
    "UTF-16 of the other order": Table("t.csv", ("\ufeff" + COMMAS).encode("utf-16-be"), BOTH),
    "UTF-16 in gzip": Table("t.csv.gz", gzip.compress(COMMAS.encode("utf-16")), BOTH),
    "UTF-16 in an archive": Table(
        "t.tar.gz", archived(COMMAS.encode("utf-16")), BOTH, {"member": "t.csv"}
    ),
    "line breaks of old in an archive": Table(
        "t.tar.gz", archived(COMMAS.replace("\n", "\r").encode()), BOTH, {"member": "t.csv"}
    ),
    "line breaks of old in JSON": Table("t.jsonl", NUMBERS.replace("\n", "\r"), BOTH),
    "line breaks of all kinds": Table("t.csv", "text,label\r\na,1\nb,0\r", BOTH),
    "two marks": Table("t.csv", "\ufeff\ufeff" + COMMAS, BOTH),
    "a NUL in another column": Table("t.csv", "text,label,x\na,1,\0\nb,0,\n", BOTH),
    "blank lines before the header": Table("t.csv", "\n , \n;;\n" + COMMAS, BOTH),
    "sep= with spaces": Table("t.csv", "Sep = ;\ntext;label\na;1\nb;0\n", BOTH),
    "a stray quote": Table("t.csv", 'text,label\na 5" nail,1\n', {'a 5" nail': GOOD}),
    "doubled quotes and line breaks": Table(
        "t.csv", 'text,label\r\n"a ""x""\r\n\r\nc",1\r\n', {'a "x"\r\n\r\nc': GOOD}
    ),
    "decimal commas": Table("t.csv", "text;score;label\na;0,5;1\nb;1,25;0\n", BOTH),
    "an index without a name": Table("t.csv", ",text,label\n0,a,1\n1,b,0\n", BOTH),
    "no-break spaces around names": Table("t.csv", "\xa0text,label\xa0\na,1\nb,0\n", BOTH),
    "one array of JSON": Table("t.json", f"[{NUMBERS.strip().replace(chr(10), ',')}]", BOTH),
    "an array over many lines": Table(
        "t.jsonl", "\n" + json.dumps([*map(json.loads, NUMBERS.splitlines())], indent=2), BOTH
    ),
    "an array with a record per line": Table(
        "t.jsonl.gz",
        gzip.compress(f"[\n{NUMBERS.strip().replace(chr(10), ',' + chr(10))}\n]\n".encode()),
        BOTH,
    ),
    "a blank line below sep=": Table("t.csv", '"sep=;"\n\n"text";"label"\na;1\n"b";0\n', BOTH),
    "old line breaks inside quotes": Table(
        "t.csv", 'text,label\r"a\rc",1\rb,0\r', {"a\rc": GOOD, "b": BAD}
    ),
    "lines of JSON in .json": Table("t.json", "\ufeff" + NUMBERS, BOTH),
    "gzip by another name": Table("t.csv", gzip.compress(COMMAS.encode()), BOTH),
    "zstd by another name": Table("t.jsonl", zstd(NUMBERS.encode()), BOTH),
    "gzip that was unpacked, but not renamed": Table("t.csv.gz", COMMAS, BOTH),
    "words for missing values": Table(
        "t.csv",
        "text,label\nNone,None\nnan,nan\nN/A,NA\n",
        {"None": ["None"], "nan": ["nan"], "N/A": ["NA"]},
        {"label_names": ["None", "nan", "NA"]},
    ),
    "a filter by a word for missing values": Table(
        "t.jsonl",
        lines({"text": "a", "label": 1, "x": "None"}, {"text": "b", "label": 0, "x": None}),
        {"a": GOOD},
        {"where": {"x": "None"}},
    ),
    "arrays as NumPy prints them": Table(
        "t.csv", "text,label\na,\"['sexism' 'racism']\"\nb,['racism']\nc,[]\n", ALL, SEVERAL
    ),
    "arrays of numbers": Table(
        "t.csv",
        "text,label\na,[0 1]\nb,[1.]\nc,[]\n",
        ALL,
        SEVERAL | {"label_names": {"0": "sexism", "1": "racism"}},
    ),
    "an array over lines, with spaces in labels": Table(
        "t.csv",
        "text,label\na,\"['hate speech'\n 'racism']\"\n",
        {"a": ["hate speech", "racism"]},
        SEVERAL | {"label_names": ["hate speech", "racism"]},
    ),
    "tuples and sets": Table(
        "t.csv", "text,label\na,\"('sexism', 'racism')\"\nb,{'racism'}\nc,()\n", ALL, SEVERAL
    ),
    "a label in brackets": Table(
        "t.csv",
        "text,label\na,(other)|racism\nb,(other)\n",
        {"a": ["(other)", "racism"], "b": ["(other)"]},
        SEVERAL | {"label_names": ["(other)", "racism"]},
    ),
    "a text of a million characters": Table(
        "t.csv", f"text,label\n{'word ' * 200_000},1\n", {"word " * 200_000: GOOD}
    ),
    "line separators inside": Table(
        "t.jsonl", '{"text": "a\u2028c\x85d", "label": 1}\n', {"a\u2028c\x85d": GOOD}
    ),
}
PARQUET: dict[str, tuple[Any, Any]] = {
    "large strings": (pa.array(["a", "b"], pa.large_string()), [1, 0]),
    "categories": (
        pa.array(["a", "b"]).dictionary_encode(),
        pa.array(["1", "0"]).dictionary_encode(),
    ),
    "lists of large strings": (pa.array([["a"], ["b"]], pa.large_list(pa.large_string())), [1, 0]),
    "decimals": (["a", "b"], pa.array([Decimal("1.00"), Decimal("0.00")])),
    "floats with nulls": (["a", "b", None], pa.array([1.0, 0.0, None])),
    "small integers": (["a", "b"], pa.array([1, 0], pa.int8())),
    "booleans": (["a", "b"], [True, False]),
}


@pytest.mark.parametrize("name", PARQUET)
def test_columns_of_parquet_are_read_whatever_their_type(name: str, tmp_path: Path) -> None:
    texts, labels = PARQUET[name]
    pq.write_table(pa.table({"x.text": texts, "label": labels}), tmp_path / "t.parquet")
    rows, _ = prepare(tmp_path / "t.parquet", text="x.text")
    assert {row["text"]: row["labels"] for row in rows} == BOTH


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_read_as_it_is(name: str, tmp_path: Path) -> None:
    table = TABLES[name]
    path = tmp_path / table.name
    content = table.content
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    rows, _ = prepare(path, **table.changes)
    assert {row["text"]: row["labels"] for row in rows} == table.expected


def test_a_table_of_the_hub_is_read_as_it_is(tmp_path: Path) -> None:
    rows = {"one": [0], "several": [1, 0], "none": []}
    content: list[Row] = [
        {"text": [text, "more"], "labels": labels} for text, labels in rows.items()
    ]
    path = tmp_path / "t.parquet"
    pq.write_table(pa.Table.from_pylist([*content, {"text": [], "labels": [1]}]), path)
    sheet = {
        "label": "labels",
        "multi_label": True,
        "label_names": {"0": "Article 2", "1": "Article 3"},
    }
    read, counts = prepare(path, **sheet)
    assert {row["text"]: row["labels"] for row in read} == {
        "one\nmore": ["Article 2"],
        "several\nmore": ["Article 2", "Article 3"],
        "none\nmore": [],
    }
    assert (counts.empty, counts.first_empty) == (1, [f"{path}, row 4"])


def test_texts_that_are_empty_are_left_out_counted_and_told(tmp_path: Path) -> None:
    path = write_json(
        tmp_path / "t.jsonl",
        [
            {"text": text, "label": 1}
            for text in ["a", "", " \u200b ", None, ["\xad"], [" "], float("nan"), "b"]
        ],
    )
    read, counts = prepare(path)
    assert ({row["text"] for row in read}, counts.rows, counts.empty) == ({"a", "b"}, 8, 6)
    assert counts.first_empty == [f"{path}, line {number}" for number in range(2, 8)]
    files = {name: str(tmp_path / name) for name in ("corpus", "counts")}
    program = "import json, sys, prepare_corpus; prepare_corpus.main(**json.loads(sys.argv[1]))"
    given = {"path": str(path), "sheet": dataset_sheet(), "examples": {}, "seed": 1, **files}
    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps(given)],
        cwd=Path(script.__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{path}: rows left out as they have no text: 6 ({path}, line 2; " in done.stderr


def test_rows_are_numbered_as_they_stand_beside_empty_texts(tmp_path: Path) -> None:
    content = [{"text": text, "label": 1, "part": " train"} for text in ("", "a", "b")]
    path = write_json(tmp_path / "t.jsonl", content)
    examples = {"train:2": ("good",)}
    rows, _ = prepare(path, split_column="part", splits={"tested": "train"}, examples=examples)
    assert {row["text"]: row["example"] for row in rows} == {"a": None, "b": "train:2"}


def test_all_faults_of_a_table_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        'text;label\na;1\n;1\nb\0;1\nc;\n"so "called";0\nd;7\ne\n"f;g";0\nh;1;2\n', encoding="utf-8"
    )
    first, *faults = refusals_of(path)
    assert first == f"{path}: found 6 faults; expected none. These are all:"
    assert [fault.partition("; expected ")[0] for fault in faults] == [
        f"{path}, line 4, column 'text': found the character U+0000",
        f"{path}, line 5, column 'label': found no label",
        f"{path}, line 6: found broken quotes (';' expected after '\"')",
        f"{path}, line 7, column 'label': found the label '7'",
        f"{path}, line 8: found 1 fields",
        f"{path}, line 10: found 3 fields",
    ]


def test_of_many_faults_the_first_are_told_and_all_are_counted(tmp_path: Path) -> None:
    rows = [{"text": f"{number}", "label": number % 3} for number in range(300)]
    first, *faults = refusals_of(write_json(tmp_path / "t.jsonl", rows))
    assert "found 100 faults; expected none. These are the first:" in first
    assert len(faults) == MOST_REPORTED
    assert "t.jsonl, line 3, column 'label': found the label '2'" in faults[0]


def test_files_of_a_pattern_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("label;text\n0;b\n", encoding="utf-8")
    (tmp_path / "a.jsonl").write_text(lines({"text": "a", "label": 1}), encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c[1].csv").write_text("text,label\nc,1\nd,5\n", encoding="utf-8")
    pattern = tmp_path / "[ab].*"
    assert {row["text"]: row["labels"] for row in prepare(pattern)[0]} == BOTH
    (told,) = refusals_of(tmp_path / "**" / "*.csv")
    assert told.startswith(f"{tmp_path / 'sub' / 'c[1].csv'}, line 3, column 'label'")
    (told,) = refusals_of(tmp_path / "sub" / "c[1].csv")
    assert told.startswith(f"{tmp_path / 'sub' / 'c[1].csv'}, line 3, column 'label'")
    (told,) = refusals_of(tmp_path / "none*.csv")
    assert "none*.csv: found no such file" in told


def test_faults_of_several_files_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("txt,label\na,1\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("text,label\nb,5\n", encoding="utf-8")
    (tmp_path / "c.csv").write_bytes(b"text,label\ncaf\xe9,1\n")
    first, *faults = refusals_of(tmp_path / "*.csv")
    assert "found 3 faults" in first
    assert [Path(fault.partition(",")[0]).name for fault in faults] == ["a.csv", "b.csv", "c.csv"]


def test_columns_that_are_not_named_are_not_read(tmp_path: Path) -> None:
    size = 20_000_000
    rows = {"text": [f"{n}" for n in range(20)], "label": [1] * 20, "scan": [bytes(size)] * 20}
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(rows), path)
    program = (
        "import json, resource, sys\nfrom pathlib import Path\nfrom hinter.corpora import *\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "prepare_corpus(Path(sys.argv[1]), sheet=json.loads(sys.argv[2]), examples={}, seed=1)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, path, json.dumps(dataset_sheet())],
        cwd=Path(script.__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) * 1024 < size * 5


def test_every_label_that_is_unknown_is_told_however_many_rows_have_it(tmp_path: Path) -> None:
    labels = [2] * 200 + ["good", 3] + [2] * 100
    rows = [{"text": f"{number}", "label": label} for number, label in enumerate(labels)]
    first, *faults = refusals_of(write_json(tmp_path / "t.jsonl", rows))
    assert "found 302 faults; expected none. These are the first:" in first
    assert [fault.partition("found the label ")[2][:3] for fault in faults[:50]] == ["'2'"] * 50
    assert ["line 201, " in faults[50], "'good'" in faults[50], "'3'" in faults[51]] == [True] * 3


@pytest.mark.parametrize(
    "name",
    ["a b", "[x]", "é 女", "-x", "a'b", 'a"b', "a=b#c", "a*b", "$HOME", "%s", "a,b;c", "null"],
)
def test_a_file_of_any_name_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.csv"
    path.write_text(COMMAS, encoding="utf-8")
    rows, _ = prepare(Path(dataset_sheet(file=str(path))["file"]))
    assert {row["text"]: row["labels"] for row in rows} == BOTH
