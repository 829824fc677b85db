"""Read the answers of a model that was asked outside the workflow, and check them by the export."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import read_rows
from ..database import open_database
from ..errors import Faults, InputError, no_file
from ..models import ParsedAnswer, ResponseParser, SuppliedLabels, WholeTexts, read_labelled
from ..responses import SuiteShard
from .inputs import Input
from .prediction import Advance, write_parsed_answers

ROWS_AT_ONCE = 1024
NEEDED = ("suite", "input_id")
FIX = "Correct that row."
_fault = partial(InputError, fix=FIX)
# JSON can encode half a surrogate pair, UTF-8 cannot.
SURROGATE = re.compile("[\ud800-\udfff]")

ANSWERS = "CREATE TABLE answers (location VARCHAR, input_id VARCHAR, response VARCHAR)"
REPEATED = """
    SELECT input_id, arg_max(location, rowid) FROM answers GROUP BY input_id
    HAVING count(*) > 1 ORDER BY max(rowid) LIMIT 1
"""
UNKNOWN = """
    SELECT input_id, location FROM answers ANTI JOIN exported USING (input_id)
    ORDER BY answers.rowid LIMIT 1
"""
MISSING = """
    SELECT count(*), min(input_id), (SELECT count(*) FROM exported)
    FROM exported ANTI JOIN answers USING (input_id)
"""
FOUND = """
    SELECT input_id, response FROM answers WHERE input_id IN (SELECT unnest(?::VARCHAR[]))
"""


def read_answers(
    path: Path,
    *,
    exported: Path,
    inputs: SuiteShard,
    labels: Sequence[str],
    multi_label: bool,
    parser: ResponseParser,
    predictions: Path,
) -> None:
    """Write the rows (PREDICTIONS_SCHEMA) of the answers in a file to the `exported` inputs.

    Answers in words are parsed by `parser`. `inputs` are those of the export. Raises `InputError`
    for answers to another suite, for missing, repeated and unknown ids, and for labels or scores
    that are not those of the dataset.
    """
    if not path.is_file():
        lines = exported.with_suffix(".jsonl")
        fix = f"Run `snakemake suite`, get answers to {lines}, and put them there."
        raise no_file(path, expected="the answers to the suite", fix=fix)
    given = SuppliedLabels(labels, multi_label=multi_label, fix=FIX)
    connection = open_database()
    first = next(pq.ParquetFile(exported).iter_batches(1, columns=["suite"]))
    _load_answers(connection, path, suite=first["suite"][0].as_py(), given=given)
    _check_ids(connection, exported=exported, path=path)

    def parsed_answers(asked: Sequence[Input], advance: Advance) -> Mapping[str, ParsedAnswer]:
        ids = [item.input_id for item in asked]
        rows = connection.execute(FOUND, [ids]).fetchall()
        advance(len(rows))
        return {key: read(text) for key, text in rows}

    def read(response: str) -> ParsedAnswer:
        document = json.loads(response)
        if isinstance(document, dict) and "answer" in document:
            return parser.read(document["answer"], cut=False)
        return read_labelled(response, labels=given.labels)

    write_parsed_answers(WholeTexts(), parsed_answers, inputs=inputs, predictions=predictions)


def _load_answers(
    connection: duckdb.DuckDBPyConnection, path: Path, *, suite: str, given: SuppliedLabels
) -> None:
    """Make the table `answers` of the rows of the user's file, in their order."""
    connection.execute(ANSWERS)
    faults = Faults(str(path))

    def rows() -> Iterator[dict[str, str]]:
        for location, row in read_rows(path, faults=faults):
            with faults.noted():
                yield _answer(row, location=location, suite=suite, given=given)

    read = rows()
    while batch := list(islice(read, ROWS_AT_ONCE)):
        connection.from_arrow(pa.Table.from_pylist(batch)).insert_into("answers")
    faults.raise_all()


def _answer(
    row: Mapping[str, Any], *, location: str, suite: str, given: SuppliedLabels
) -> dict[str, str]:
    for column in NEEDED:
        if not isinstance(row.get(column), str):
            raise InputError(
                where=location,
                found=f"no text '{column}' (the row has {', '.join(row)})",
                expected=f"{' and '.join(NEEDED)} of the exported row that it answers",
                fix="Copy them from there.",
            )
        _check_text(row[column], location=location)
    if row["suite"] != suite:
        raise InputError(
            where=location,
            found=f"an answer to the suite {row['suite']}",
            expected=f"answers to the suite {suite}",
            fix="Get answers to the suite that `snakemake suite` writes now.",
        )
    response = _response(row, location=f"{location}, input {row['input_id']}", given=given)
    return {"location": location, "input_id": row["input_id"], "response": response}


def _response(row: Mapping[str, Any], *, location: str, given: SuppliedLabels) -> str:
    """Return the response in a row as JSON: its words, or its label and scores."""
    stated = {name: row[name] for name in ("answer", "label") if row.get(name) is not None}
    if len(stated) != 1:
        both = " and ".join(f"'{name}'" for name in stated)
        found = both or "neither 'answer' nor 'label'"
        expected = "an answer in words (answer), or a label (label)"
        raise _fault(where=location, found=found, expected=expected)
    if "answer" in stated:
        if not isinstance(stated["answer"], str):
            found = f"{stated['answer']!r:.60} as the answer"
            raise _fault(where=location, found=found, expected="its words")
        _check_text(stated["answer"], location=location)
        return json.dumps({"answer": stated["answer"]}, ensure_ascii=False)
    scores = row.get("scores")
    return given.response(
        _parsed(stated["label"]), scores=_parsed(scores) if scores else None, where=location
    )


def _check_text(text: str, *, location: str) -> None:
    half = SURROGATE.search(text)
    if half:
        found = f"the character U+{ord(half[0]):04X}, which is half of one"
        raise _fault(where=location, found=found, expected="text")


def _parsed(value: Any) -> Any:
    """Return the value, or the list or mapping that CSV has as JSON and Parquet as pairs."""
    if isinstance(value, str) and value.startswith(("[", "{")):
        try:
            return json.loads(value)
        # There may be thousands of nested brackets.
        except (ValueError, RecursionError):
            return value
    if isinstance(value, list) and value and all(isinstance(pair, tuple) for pair in value):
        return dict(value)
    return value


def _check_ids(connection: duckdb.DuckDBPyConnection, *, exported: Path, path: Path) -> None:
    """Raise `InputError` unless the table `answers` has one answer per exported row."""
    connection.execute(f"CREATE VIEW exported AS FROM read_parquet('{exported}')")
    for query, stated in [(REPEATED, "a second answer to"), (UNKNOWN, "an answer to")]:
        for input_id, location in connection.execute(query).fetchall():
            raise InputError(
                where=location,
                found=f"{stated} {input_id}",
                expected="one answer to each exported input, and to no other",
                fix="Remove it.",
            )
    missing, first, total = connection.execute(MISSING).fetchall()[0]
    if missing:
        raise InputError(
            where=str(path),
            found=f"no answer to {missing} of {total} inputs, such as {first}",
            expected="one answer to each",
            fix="Add them; an empty `answer` means that the model gave none.",
        )
