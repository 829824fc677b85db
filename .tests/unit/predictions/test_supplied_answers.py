"""Answers from elsewhere: read in any form, and refused where they are not those to the suite."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.corpora import Text, check_prompt
from hinter.errors import InputError
from hinter.models import AnswerParser, Task
from hinter.predictions import PREDICTIONS_SCHEMA, export_suite, read_answers
from hinter.predictions.exporting import EXPORTED_SCHEMA
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


GENDER = "gender:man>woman"
MUTANT = f"a|{GENDER}"
LABELS = ["negative", "positive"]
Rows = list[dict[str, Any]]


class Elsewhere:
    """A small suite that was exported, and answers to it."""

    def __init__(self, folder: Path) -> None:
        self.study = Study(
            folder, texts={"a": "A man.", "h": "held out"}, rows=[mutant("a", GENDER)]
        )
        self.exported = folder / "exported.parquet"
        export_suite(
            self.study.inputs(), task=None, lines=folder / "exported.jsonl", table=self.exported
        )
        asked = pq.read_table(self.exported, columns=["suite", "input_id"]).to_pylist()
        self.asked = {row["input_id"]: row for row in asked}

    def rows(self, **answers: Any) -> Rows:
        """Return rows with these columns; each holds the values for a, its mutant and h."""
        return [
            {**self.asked[input_id], **{name: values[place] for name, values in answers.items()}}
            for place, input_id in enumerate(("a", MUTANT, "h"))
        ]

    def read(
        self, rows: Rows, *, form: str = "jsonl", multi_label: bool = False
    ) -> dict[str, dict[str, Any]]:
        path = self.study.folder / f"answers.{form}"
        WRITERS[form](path, rows)
        predictions = self.study.folder / "predictions.parquet"
        read_answers(
            path,
            exported=self.exported,
            inputs=self.study.inputs(),
            labels=LABELS,
            multi_label=multi_label,
            parser=AnswerParser(LABELS, multi_label=multi_label, none="None"),
            predictions=predictions,
        )
        table = pq.read_table(predictions)
        assert table.schema == PREDICTIONS_SCHEMA
        assert table["input_id"].to_pylist() == ["a", MUTANT, "h"]
        return {row["input_id"]: row for row in table.to_pylist()}

    def refusal(self, rows: Rows) -> str:
        with pytest.raises(InputError) as caught:
            self.read(rows)
        message = str(caught.value)
        assert message.startswith(str(self.study.folder / "answers.jsonl"))
        assert "\n" not in message
        return message.removeprefix(str(self.study.folder / "answers.jsonl"))


def _write_csv(path: Path, rows: Rows) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(
            {
                name: value if isinstance(value, str) else json.dumps(value)
                for name, value in row.items()
            }
            for row in rows
        )


def _write_lines(path: Path, rows: Rows) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def _write_parquet(path: Path, rows: Rows) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path)


WRITERS: dict[str, Callable[[Path, Rows], None]] = {
    "csv": _write_csv,
    "jsonl": _write_lines,
    "parquet": _write_parquet,
}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path)


@pytest.mark.parametrize("form", WRITERS)
def test_labels_and_scores_are_read_of_any_form_in_any_order(
    form: str, elsewhere: Elsewhere
) -> None:
    scores = [{"negative": 0.0, "positive": score} for score in (1.0, -2.0, 3.0)]
    rows = elsewhere.rows(label=["positive", "negative", "positive"], scores=scores)
    found = elsewhere.read(rows[::-1], form=form)
    assert [row["outcome"] for row in found.values()] == [["positive"], ["negative"], ["positive"]]
    assert dict(found[MUTANT]["scores"]) == {"negative": 2.0, "positive": -2.0}
    assert {row["status"] for row in found.values()} == {"ok"}
    assert [row["visible_order"] for row in found.values()] == [0, 1, 0]


def test_answers_in_words_are_read_like_those_of_any_model(elsewhere: Elsewhere) -> None:
    words = ["It is positive.", "I'm sorry, I cannot say.", ""]
    found = elsewhere.read(elsewhere.rows(answer=words))
    assert [row["status"] for row in found.values()] == ["ok", "refused", "unparsed"]
    assert [row["answer"] for row in found.values()] == words
    assert found["a"]["outcome"] == ["positive"]


def test_a_text_may_have_several_labels_or_none(elsewhere: Elsewhere) -> None:
    rows = elsewhere.rows(label=[["positive", "negative"], [], "positive"])
    found = elsewhere.read(rows, multi_label=True)
    outcomes = [row["outcome"] for row in found.values()]
    assert outcomes == [["negative", "positive"], [], ["positive"]]


def test_all_faults_are_told_at_once(elsewhere: Elsewhere) -> None:
    rows = elsewhere.rows(label=["good", "positive", "bad"])
    with pytest.raises(InputError) as caught:
        elsewhere.read(rows)
    first, *faults = str(caught.value).splitlines()
    assert "found 2 faults; expected none. These are all:" in first
    for place, fault in zip(("line 1, input a", "line 3, input h"), faults, strict=True):
        assert place in fault


def test_missing_answers_are_refused(elsewhere: Elsewhere) -> None:
    said = elsewhere.refusal(elsewhere.rows(label=["positive"] * 3)[:1])
    assert said.startswith(f": found no answer to 2 of 3 inputs, such as {MUTANT}; expected one")


def test_repeated_and_unknown_ids_are_refused_with_their_line(elsewhere: Elsewhere) -> None:
    rows = elsewhere.rows(label=["positive"] * 3)
    said = elsewhere.refusal([*rows, rows[0]])
    assert said.startswith(", line 4: found a second answer to a; expected one answer to each")
    said = elsewhere.refusal([rows[0], rows[1] | {"input_id": "other"}, rows[2]])
    assert said.startswith(", line 2: found an answer to other; expected one answer to each")


def test_answers_to_another_suite_are_refused(elsewhere: Elsewhere) -> None:
    rows = elsewhere.rows(label=["positive"] * 3)
    said = elsewhere.refusal([rows[0], rows[1] | {"suite": "0" * 32}])
    assert said.startswith(
        f", line 2: found an answer to the suite {'0' * 32}; expected answers to"
    )
    assert "`snakemake suite`" in said


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"suite": None}, "found no text 'suite' (the row has suite, input_id, label)"),
        ({"input_id": 7}, "found no text 'input_id'"),
        ({"label": None}, "found neither 'answer' nor 'label'"),
        ({"answer": "positive"}, "found 'answer' and 'label'"),
        ({"label": None, "answer": 7}, "found 7 as the answer"),
        ({"label": "fair"}, "found 'fair' as a label; expected one label"),
        ({"label": ["positive"]}, "found ['positive'] as a label"),
        ({"scores": {"positive": 1}}, "found {'positive': 1} as scores"),
        ({"scores": {"positive": 1, "negative": "2"}}, "found '2' as a score"),
        ({"scores": "{broken"}, "found '{broken' as scores"),
    ],
)
def test_other_rows_are_refused_with_their_line(
    changed: dict[str, Any], found: str, elsewhere: Elsewhere
) -> None:
    rows = elsewhere.rows(label=["positive"] * 3)
    said = elsewhere.refusal([rows[0], rows[1] | changed, rows[2]])
    assert said.startswith(", line 2")
    assert found in said


def test_no_file_is_refused(elsewhere: Elsewhere) -> None:
    with pytest.raises(InputError, match="found no such file; expected the answers to the suite"):
        read_answers(
            elsewhere.study.folder / "none.csv",
            exported=elsewhere.exported,
            inputs=elsewhere.study.inputs(),
            labels=LABELS,
            multi_label=False,
            parser=AnswerParser(LABELS, multi_label=False, none="None"),
            predictions=elsewhere.study.folder / "predictions.parquet",
        )
