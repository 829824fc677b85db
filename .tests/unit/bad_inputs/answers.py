"""Answers of models that were asked elsewhere, and of people who read mutants."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from hinter.assessments import OF_FORM
from hinter.assessments import read_answers as read_annotators_answers
from hinter.models import AnswerParser
from hinter.predictions import export_suite, read_answers
from suites import Study, mutant

from .case import Case, Line, write

LABELS = ["bad", "good"]
ASKED = ["a", "a|gender:man>woman", "h"]
ONE = "one label or a finite score for each, of bad, good"
ROW = "Correct that row"
WORDS_OR_LABEL = "an answer in words (answer), or a label (label)"
Rows = list[dict[str, Any]]


def export(folder: Path) -> tuple[Study, Path]:
    """Return a small suite in the folder, and the file of what is asked."""
    texts = {"a": "A man.", "h": "held out"}
    study = Study(folder, texts=texts, rows=[mutant("a", "gender:man>woman")])
    exported = folder / "exported.parquet"
    export_suite(study.inputs(), task=None, lines=folder / "exported.jsonl", table=exported)
    return study, exported


def read(folder: Path, path: Path) -> None:
    """Read the answers in a file to the suite that was exported to the folder."""
    study, exported = export(folder)
    read_answers(
        path,
        exported=exported,
        inputs=study.inputs(),
        labels=LABELS,
        multi_label=False,
        parser=AnswerParser(LABELS, multi_label=False, none="None"),
        predictions=folder / "predictions.parquet",
    )


def sound(folder: Path) -> Rows:
    """Return a sound answer to each input of the suite."""
    suite = pq.read_table(export(folder)[1])["suite"][0].as_py()
    return [{"suite": suite, "input_id": each, "label": "good"} for each in ASKED]


def _second(line: Line, **changes: Any) -> Case:
    """Return the case of answers of which the second one is changed."""

    def read_changed(folder: Path) -> None:
        rows = sound(folder)
        rows[1] |= changes
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        read(folder, write(folder / "answers.jsonl", lines))

    return Case(read_changed, line)


def _file(name: str, content: str | bytes, line: Line) -> Case:
    return Case(lambda folder: read(folder, write(folder / name, content)), line)


def _of_three(folder: Path, *kept: int) -> None:
    rows = sound(folder)
    lines = "".join(f"{json.dumps(rows[place])}\n" for place in kept)
    read(folder, write(folder / "answers.jsonl", lines))


def _readers(content: str | bytes, line: Line) -> Case:
    def read_form(folder: Path) -> object:
        path = write(folder / "ada.csv", content)
        return read_annotators_answers(OF_FORM, [path], known={"m1", "m2"})

    return Case(read_form, line)


SECOND = "answers.jsonl, line 2"
CELL = "Correct the cell"
CASES = {
    "no file": Case(
        lambda folder: read(folder, folder / "answers.csv"),
        Line("answers.csv", "no such file", "the answers to the suite", "Run `snakemake suite`"),
    ),
    "nothing": _file(
        "answers.jsonl", "", Line("answers.jsonl", "no answer to 3 of 3", "one answer", "Add them")
    ),
    "an unknown kind of file": _file(
        "answers.txt",
        "good",
        Line("answers.txt", "kind '.txt'", ".csv, .json, .jsonl, .ndjson", "Correct"),
    ),
    "a header alone": _file(
        "answers.csv",
        "suite,input_id,label\n",
        Line("answers.csv", "no answer to 3 of 3 inputs, such as a", "one answer", "Add them"),
    ),
    "a line that is no object": _file(
        "answers.jsonl", "good\n", Line("line 1", "broken JSON", "one JSON object", "Correct that")
    ),
    "no suite": _second(Line(SECOND, "no text 'suite'", "suite and input_id", "Copy"), suite=None),
    "another suite": _second(
        Line(SECOND, "an answer to the suite 0", "answers to the suite", "`snakemake suite`"),
        suite="0",
    ),
    "an id that is a number": _second(
        Line(SECOND, "no text 'input_id'", "suite and input_id", "Copy them"), input_id=7
    ),
    "an unknown id": _second(
        Line(SECOND, "an answer to b", "one answer to each", "Remove it"), input_id="b"
    ),
    "an id with half a surrogate pair": _second(
        Line(SECOND, "the character U+D83D", "text", ROW), input_id="a\ud83d"
    ),
    "a second answer": Case(
        lambda folder: _of_three(folder, 0, 1, 2, 0),
        Line("line 4", "a second answer to a", "one answer to each", "Remove it"),
    ),
    "a missing answer": Case(
        lambda folder: _of_three(folder, 0, 2),
        Line("answers.jsonl", "no answer to 1 of 3 inputs", "one answer to each", "Add them"),
    ),
    "neither words nor a label": _second(
        Line(SECOND + ", input a|gender:man>woman", "neither", WORDS_OR_LABEL, ROW), label=None
    ),
    "words and a label": _second(
        Line("input a|gender:man>woman", "'answer' and 'label'", WORDS_OR_LABEL, ROW), answer="good"
    ),
    "words that are a number": _second(
        Line("input a|gender:man>woman", "7 as the answer", "its words", ROW), label=None, answer=7
    ),
    "words with half a surrogate pair": _second(
        Line("input a|gender:man>woman", "the character U+D83D", "text", ROW),
        label=None,
        answer="good \ud83d",
    ),
    "an unknown label": _second(
        Line("input a|gender:man>woman", "'fine' as a label", ONE, ROW), label="fine"
    ),
    "several labels": _second(
        Line("input a|gender:man>woman", "['good'] as a label", ONE, ROW), label=["good"]
    ),
    "a label nested too deeply": _second(
        Line("input a|gender:man>woman", "as a label", ONE, ROW), label="[" * 100_000
    ),
    "scores of one label": _second(
        Line("input a|gender:man>woman", "{'good': 1} as scores", ONE, ROW), scores={"good": 1}
    ),
    "a score beyond all numbers": _second(
        Line("input a|gender:man>woman", "as a score", ONE, ROW), scores={"good": 10**400, "bad": 0}
    ),
    "a score that is not finite": _second(
        Line("input a|gender:man>woman", "inf as a score", ONE, ROW),
        scores={"good": float("inf"), "bad": 0},
    ),
    "a reader's answers without a question": _readers(
        "mutant_id,grammar\nm1,yes\n",
        Line("ada.csv, line 2", "mutant_id, grammar", "a column 'meaning'", "Add it to the file"),
    ),
    "a reader's unknown mutant": _readers(
        "mutant_id,grammar,meaning\nm3,yes,no\n",
        Line("line 2, column 'mutant_id'", "'m3'", "a mutant of results/assessment/form.csv", CELL),
    ),
    "a reader's mutant twice": _readers(
        "mutant_id,grammar,meaning\nm1,yes,no\nm1,yes,yes\n",
        Line("line 3, column 'mutant_id'", "'m1'", "every mutant once", "Remove one of the two"),
    ),
    "a reader's other word": _readers(
        "mutant_id,grammar,meaning\nm1,Yes,no\n",
        Line("line 2, column 'grammar'", "'Yes'", "yes or no", CELL),
    ),
    "a reader's answers that are not UTF-8": _readers(
        b"mutant_id,grammar,meaning\nm1,yes,no\xe9\n",
        Line("ada.csv, line 2", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8"),
    ),
}
