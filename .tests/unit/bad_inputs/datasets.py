"""Files of texts that make no corpus."""

import gzip
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hinter.config import Datasets, check_sheet
from hinter.corpora import fault_of_examples, prepare_corpus

from .case import DATASET, Case, Line, write

ROW_FIX = "Remove or correct that row"
KINDS = ".csv, .json, .jsonl, .ndjson, .tsv, .parquet"
FIELDS = "the 2 fields of the header"
CSV = "text,label\nfirst,0\n"
JSON = '{"text": "first", "label": 0}\n'
AS_TEXT = ("UTF-8 text", "or save it as text")
ZIP = b"PK\x03\x04\x14\0\0\0 and more"
FILES: dict[str, tuple[str, str | bytes, Line]] = {
    "no text column": (
        "a.csv",
        "txt,label\nhello,1\n",
        Line("a.csv, line 1", "the columns txt, label", "a column 'text'", "Correct `text`"),
    ),
    "no label column": (
        "a.csv",
        "text,lable\nhello,1\n",
        Line("a.csv, line 1", "the columns text, lable", "a column 'label'", "`label`"),
    ),
    "a column given twice": (
        "a.csv",
        "text,label,text\nhello,1,bye\n",
        Line("a.csv, line 1", "the column 'text' twice", "distinct columns", "Rename"),
    ),
    "empty texts alone": (
        "a.csv",
        "text,label\n ,1\n",
        Line("a.csv", "no text in 1 rows", "rows that fit", "Correct the file"),
    ),
    "texts of mark-up only": (
        "a.csv",
        "text,label\n<br />,1\n<br /> ,0\n",
        Line("a.csv", "no text in 2 rows", "rows that fit", "Correct the file"),
    ),
    "a NUL in the text": (
        "a.csv",
        CSV + "a\0b,1\n",
        Line("a.csv, line 3, column 'text'", "the character U+0000", "a text", ROW_FIX),
    ),
    "bytes that are not UTF-8": (
        "a.csv",
        CSV.encode() + b"some more of it,1\n" * 2000 + b"caf\xe9,1\n",
        Line("a.csv, line 2003", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "UTF-16 that is cut off": (
        "a.csv",
        CSV.encode("utf-16")[:-1],
        Line("a.csv, line 1", "the byte 0x0a", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "a compressed file that is cut off": (
        "a.csv.gz",
        gzip.compress((CSV + "more,1\n" * 500).encode())[:-9],
        Line("a.csv.gz", "Truncated", "a whole file, compressed by gzip", "Fetch or write"),
    ),
    "a zip archive by another name": ("a.csv.gz", ZIP, Line("a.csv.gz", "no text", *AS_TEXT)),
    "Parquet by another name": (
        "a.csv",
        b"PAR1\x15\x04\x15\n\x15\x0e",
        Line("a.csv", "a file that is no text (it begins with b'PAR1", *AS_TEXT),
    ),
    "a pickle": (
        "a.csv",
        b"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.",
        Line("a.csv", "no text", *AS_TEXT),
    ),
    "a file compressed twice": (
        "a.csv.gz",
        gzip.compress(gzip.compress(CSV.encode())),
        Line("a.csv.gz", "no text", *AS_TEXT),
    ),
    "two arrays": (
        "a.json",
        f"[{JSON}]\n[]",
        Line("a.json", "Extra data at line 3", "one JSON object", "Correct that line"),
    ),
    "UTF-16 without its mark": (
        "a.jsonl",
        JSON.encode("utf-16-le"),
        Line("a.jsonl", "no text (it begins with b'{", *AS_TEXT),
    ),
    "a table of Excel": ("a.xlsx", ZIP, Line("a.xlsx", "kind '.xlsx'", KINDS, "save the table")),
    "cp1252": (
        "a.csv",
        CSV.encode() + b"\x93b\x94,0\n",
        Line("a.csv, line 3", "the byte 0x93", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "a header again": (
        "a.csv",
        CSV + "\ufefftext,label\nsecond,1\n",
        Line("a.csv, line 3", "the header again", "a row", "Remove that line"),
    ),
    "a title above the header": (
        "a.csv",
        "My survey\n" + CSV,
        Line("a.csv, line 1", "the columns My survey", "a column 'text'", "Correct `text`"),
    ),
    "a comment": ("a.csv", CSV + "# so far\n", Line("a.csv, line 3", "1 fields", FIELDS, "Quote")),
    "quotes with backslashes": (
        "a.csv",
        CSV + r'"a \"b\" c",1',
        Line("a.csv, line 3", "broken quotes", "a row of CSV", "double every quote"),
    ),
    "a key of JSON twice": (
        "a.jsonl",
        JSON + '{"text": "a", "text": "b", "label": 1}\n',
        Line("a.jsonl, line 2", "a key is there twice", "one JSON object", "Correct that line"),
    ),
    "an array of JSON that is cut off": (
        "a.json",
        '[{"text": "a", "label": 1},\n{"text": "b"',
        Line("a.json", "at line 2, column 13)", "one JSON object", "Correct that line"),
    ),
    "an array of texts": (
        "a.json",
        '["a"]',
        Line("a.json, record 1", '"a"', "one JSON object", "Correct that line"),
    ),
    "an array with an unknown label": (
        "a.json",
        f'[{JSON.strip()}, {{"text": "b", "label": 7}}]',
        Line("a.json, record 2, column 'label'", "the label '7'", "one of 0, 1", "`label_names`"),
    ),
    "an object over many lines": (
        "a.json",
        '{"text": "a",\n\n',
        Line("a.json, line 1", "broken JSON", "one JSON object", "Correct that line"),
    ),
    "records below a key": (
        "a.json",
        '{"data": [{"text": "a"}]}',
        Line("a.json, line 1", "the columns data", "a column 'text'", "Correct `text`"),
    ),
    "a compressed kind of file that cannot be read": (
        "a.parquet.gz",
        JSON,
        Line("a.parquet.gz", "kind '.parquet.gz'", KINDS, "`file`"),
    ),
    "a row with too few fields": (
        "a.csv",
        CSV + "second\n",
        Line("a.csv, line 3", "1 fields", FIELDS, "Quote fields that contain the"),
    ),
    "a row with too many fields": (
        "a.csv",
        CSV + "\nsecond, third,1\n",
        Line("a.csv, line 4", "3 fields", FIELDS, "Quote fields that contain the"),
    ),
    "a row after one of several lines": (
        "a.csv",
        CSV + '"se\ncond",1\nthird\n',
        Line("a.csv, line 5", "1 fields", FIELDS, "Quote fields that contain the"),
    ),
    "a quote that is never closed": (
        "a.csv",
        'label,text\n0,first\n1,second\n0,"third\n1,fourth\n0,fifth\n',
        Line("a.csv, line 4", "broken quotes (unexpected end", "a row of CSV", "Close every quote"),
    ),
    "a quote inside a quoted field": (
        "a.csv",
        CSV + '"so "called" text",1\n',
        Line("a.csv, line 3", "broken quotes", "a row of CSV", "every quote inside"),
    ),
    "a label outside the label set": (
        "a.csv",
        CSV + "second,2\n",
        Line("a.csv, line 3, column 'label'", "the label '2'", "one of 0, 1", "`label_names`"),
    ),
    "no row at all": (
        "a.csv",
        "text,label\n",
        Line("a.csv", "no text in 0 rows", "rows that fit", "Correct the file"),
    ),
    "a broken line of JSON": (
        "a.jsonl",
        JSON + '{"text": "second", "label": }\n',
        Line("a.jsonl, line 2", "Expecting value at column 29", "one JSON object", "Correct that"),
    ),
    "a line of JSON with brackets without end": (
        "a.jsonl",
        JSON + "[" * 100_000 + "\n",
        Line("a.jsonl, line 2", "JSON that cannot be read", "one JSON object", "Correct that"),
    ),
    "a line of JSON with a number of thousands of digits": (
        "a.jsonl",
        JSON + '{"text": "second", "label": ' + "1" * 5000 + "}\n",
        Line("a.jsonl, line 2", "the limit (4300 digits)", "one JSON object", "Correct that"),
    ),
    "a line of JSON that is no object": (
        "a.jsonl",
        JSON + '["second", 1]\n',
        Line("a.jsonl, line 2", '["second", 1]', "one JSON object per line", "Correct that line"),
    ),
    "an object without a text": (
        "a.jsonl",
        JSON + '{"label": 1}\n',
        Line("a.jsonl, line 2", "the columns label", "a column 'text'", "Correct `text`"),
    ),
    "an object without a label": (
        "a.jsonl",
        JSON + '{"text": "second"}\n',
        Line("a.jsonl, line 2", "the columns text", "a column 'label'", "`label`"),
    ),
    "a text that is a number": (
        "a.jsonl",
        JSON + '{"text": 5, "label": 1}\n',
        Line("a.jsonl, line 2, column 'text'", "5", "a text", ROW_FIX),
    ),
    "half a surrogate pair": (
        "a.jsonl",
        JSON + '{"text": "a \\ud83d b", "label": 1}\n',
        Line("a.jsonl, line 2, column 'text'", "the character U+D83D", "a text", ROW_FIX),
    ),
    "one unknown label of several": (
        "a.jsonl",
        JSON + '{"text": "second", "label": [1, 7]}\n',
        Line("a.jsonl, line 2, column 'label'", "the label '7'", "one of 0, 1", "`label_names`"),
    ),
    "a file that is no Parquet": (
        "a.parquet",
        CSV * 10,
        Line(
            "a.parquet", "Parquet magic bytes not found", "a Parquet file", "write the file again"
        ),
    ),
    "an unknown kind of file": (
        "a.txt",
        CSV,
        Line("a.txt", "a file of kind '.txt'", KINDS, "the dataset's `file`"),
    ),
}


def _prepare(path: Path, **changes: Any) -> None:
    examples = changes.pop("examples", {})
    sheets = check_sheet({"mine": DATASET | changes}, Datasets, where="mine.yaml")
    sheet = sheets.root["mine"].model_dump()
    table, _ = prepare_corpus(path, sheet=sheet, examples=examples, seed=1)
    # Prompted models are refused for it, whenever they read the corpus.
    if fault := fault_of_examples(table.schema):
        raise fault


def _case(name: str, content: str | bytes, line: Line, **changes: Any) -> Case:
    def read(folder: Path) -> None:
        _prepare(write(folder / name, content), **changes)

    return Case(read, line)


def _read_damaged(folder: Path) -> None:
    path = folder / "a.parquet"
    texts = [os.urandom(20).hex() for _ in range(5000)]
    pq.write_table(pa.table({"text": texts, "label": [0] * 5000}), path)
    content, half = path.read_bytes(), path.stat().st_size // 2
    path.write_bytes(content[:half] + b"\0" * 3000 + content[half + 3000 :])
    _prepare(path)


def _read_twice(folder: Path) -> None:
    path = folder / "a.parquet"
    pq.write_table(pa.Table.from_arrays([["a"], ["b"], [1]], ["text", "text", "label"]), path)
    _prepare(path)


def _read_bytes(folder: Path) -> None:
    path = folder / "a.parquet"
    pq.write_table(pa.table({"text": [b"first"], "label": [0]}), path)
    _prepare(path)


CASES = {
    **{name: _case(*file, replacements={"<br />": " "}) for name, file in FILES.items()},
    "no file": Case(
        lambda folder: _prepare(folder / "a.csv"), Line("a.csv", "no such file", KINDS, "`file`")
    ),
    "a filter that leaves nothing": _case(
        "a.csv",
        CSV,
        Line("a.csv", "no text in 1 rows", "`where`", "Correct the file"),
        where={"label": "none"},
    ),
    "a favourable label that is none": _case(
        "a.csv",
        CSV,
        Line("key 'mine.favourable'", "'best'", "one of ['bad', 'good']", "datasets.schema.yaml"),
        favourable=["good", "best"],
    ),
    "favourable labels that are all": _case(
        "a.csv",
        CSV,
        Line("key 'mine.favourable'", "all labels", "only good ones", "datasets.schema.yaml"),
        favourable=["good", "bad"],
    ),
    "an example of a prompt that is not there": _case(
        "a.csv",
        CSV,
        Line(
            "a.csv",
            "no text with original_id 0123456789abcdef",
            "that the prompt names",
            "`examples`",
        ),
        examples={"0123456789abcdef": ("bad",)},
    ),
    "splits larger than the corpus": _case(
        "a.csv",
        CSV + "second,1\nthird,1\n",
        Line("a.csv, split 'held_out'", "1 texts", "2", "smaller splits"),
        splits={"tested": 2, "held_out": 2},
    ),
    "Parquet that is damaged inside": Case(
        _read_damaged, Line("a.parquet", "", "a Parquet file", "write the file again")
    ),
    "a column of Parquet twice": Case(
        _read_twice, Line("a.parquet", "the column 'text' twice", "distinct columns", "Rename")
    ),
    "a folder": Case(lambda folder: _prepare(folder), Line("", "a folder", KINDS, "`file`")),
    "no label where None is one": _case(
        "a.jsonl",
        '{"text": "a", "label": null}\n',
        Line("a.jsonl, line 1, column 'label'", "no label", "one of None, nan", "`label_names`"),
        label_names=["None", "nan"],
    ),
    "NaN where nan is a label": _case(
        "a.jsonl",
        '{"text": "a", "label": NaN}\n',
        Line("a.jsonl, line 1, column 'label'", "no label", "one of None, nan", "`label_names`"),
        label_names=["None", "nan"],
    ),
    "no value where None makes a split": _case(
        "a.jsonl",
        '{"text": "a", "label": 1, "part": null}\n',
        Line("a.jsonl, split 'tested'", "the value 'None'", "values of the split", "`splits`"),
        split_column="part",
        splits={"tested": "None"},
    ),
    "a label in capitals": _case(
        "a.csv",
        "text,label\na,Good\n",
        Line("a.csv, line 2, column 'label'", "the label 'Good'", "one of good", "`label_names`"),
        label_names=["good"],
    ),
    "bytes in Parquet": Case(
        _read_bytes, Line("a.parquet, row 1, column 'text'", "b'first'", "a text", ROW_FIX)
    ),
}
