"""What is exported of a suite: each input once, its prompt, and a digest of all of it."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hinter.corpora import Text, check_prompt
from hinter.models import Task
from hinter.predictions import EXPORTED_SCHEMA, export_suite
from suites import Study, mutant

GENDER, RACE = "gender:man>woman", "race:Greek>Thai"
SHEET = {
    "version": 1,
    "instruction": "Say {labels}.\n\n",
    "question": "Text: {text}\nAnswer:",
    "none": "None",
    "max_answer_tokens": 4,
    "examples": {"e:0": ["positive"]},
}


def _task(**changes: Any) -> Task:
    prompt = check_prompt(SHEET | changes, path="prompt.yaml", labels=["negative", "positive"])
    return Task(prompt, [Text("e", "An example", ("positive",))], multi_label=False)


def _study(folder: Path) -> Study:
    folder.mkdir(exist_ok=True)
    rows = [mutant("a", GENDER), mutant("a", RACE), mutant("a", GENDER, RACE)]
    return Study(folder, texts={"a": 'A "Greek" man —\n', "h": "held out"}, rows=rows)


def _export(study: Study, *, task: Task | None = None) -> list[dict[str, Any]]:
    lines, table = study.folder / "e.jsonl", study.folder / "e.parquet"
    export_suite(study.inputs(), task=task, lines=lines, table=table)
    rows: list[dict[str, Any]] = pq.read_table(table, schema=EXPORTED_SCHEMA).to_pylist()
    assert [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()] == rows
    return rows


def test_texts_of_originals_mutants_and_held_out_texts_are_exported_once(tmp_path: Path) -> None:
    rows = _export(_study(tmp_path))
    assert {row["input_id"]: row["text"] for row in rows} == {
        "a": 'A "Greek" man —\n',
        f"a|{GENDER}": 'A "Greek" woman —\n',
        f"a|{RACE}": 'A "Thai" man —\n',
        f"a|{GENDER}|{RACE}": 'A "Thai" woman —\n',
        "h": "held out",
    }
    assert len(rows) == 5
    assert {row["prompt"] for row in rows} == {None}
    assert len({row["suite"] for row in rows}) == 1


def test_prompts_hold_instruction_examples_and_text(tmp_path: Path) -> None:
    rows = {row["input_id"]: row for row in _export(_study(tmp_path), task=_task())}
    assert rows["h"]["prompt"] == (
        "Say negative, positive.\n\nText: An example\nAnswer: positive\n\nText: held out\nAnswer:"
    )
    assert len({row["prompt_digest"] for row in rows.values()}) == len(rows)


@pytest.mark.parametrize("changed", ["nothing", "prompt", "mutants"])
def test_the_digest_is_that_of_all_that_is_asked(changed: str, tmp_path: Path) -> None:
    first = _export(_study(tmp_path / "a"), task=_task())
    other = _study(tmp_path / "b")
    task = _task(instruction="Choose {labels}.\n\n") if changed == "prompt" else _task()
    if changed == "mutants":
        other = Study(other.folder, texts={"a": "A man"}, rows=[mutant("a", GENDER)])
    again = _export(other, task=task)
    assert (again == first) == (changed == "nothing")
    assert (again[0]["suite"] == first[0]["suite"]) == (changed == "nothing")
