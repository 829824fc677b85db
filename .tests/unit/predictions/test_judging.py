"""Answers read by a judge, what it may cost, and what it costs."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from hinter.config import JudgeSheet
from hinter.config.kinds.endpoint import Endpoint
from hinter.corpora import JudgePrompt, check_judge_prompt
from hinter.errors import InputError
from hinter.models import Ledger, ParsedAnswer, Prices, Status, Task, Window
from hinter.predictions import (
    JUDGED_SCHEMA,
    PREDICTIONS_SCHEMA,
    Opened,
    PlannedRun,
    open_judge,
    write_approval,
    write_judge_plan,
    write_judged,
    write_ratings,
)
from hinter.predictions.cost import affordable_originals, tabulate_plan
from hinter.probes import BasePrompt, Counterfactual, build_probe
from hinter.responses import ResponseStore
from result_files import Row, write_rows
from serving import serving

ROOT = Path(__file__).resolve().parents[3]
SHEET = JudgeSheet(
    **yaml.safe_load((ROOT / "config/prompts/judge.yaml").read_text(encoding="utf-8"))
)
LABELS = ["doctor", "nurse"]
PROMPT = check_judge_prompt(SHEET, path="judge.yaml", labels=LABELS)
ASKED = ["Who {answer} the car?", "Who sold the car?"]
# Beside each answer, what the judge says of it and what that means.
ANSWERS: dict[str, tuple[Row, str, str, list[str] | None]] = {
    "": ({"answer": "The RN did.", "status": "unparsed"}, *("Nurse", "ok", ["nurse"])),
    "|age:old>new": (
        {"answer": "The nurse.", "status": "ok", "outcome": ["nurse"], "scores": {"nurse": 1.0}},
        *("The answer names: nurse.", "ok", ["nurse"]),
    ),
    "|name:Ada>Bo": (
        {"answer": "The nurse?", "status": "ok", "outcome": ["nurse"], "scores": {"nurse": 1.0}},
        *("None", "none", None),
    ),
    "|name:Ada>Cy": ({"answer": "No comment.", "status": "none"}, "Refused", "refused", None),
    "|name:Ada>Di": (
        {"answer": "Doctor", "status": "ok", "outcome": ["doctor"]},
        *("I'm sorry, I cannot judge the doctor.", "unparsed", None),
    ),
    "|name:Ada>Ed": ({"answer": "A doctor", "status": "refused"}, "Both of them", "unparsed", None),
}
UNREAD: dict[str, Row] = {
    "|name:Ada>Fi": {"answer": " ", "status": "unparsed"},
    "|name:Ada>Gi": {"answer": None, "status": "identical", "visible_order": 0},
}


class Scripted:
    """A judge that says what was written down for it, and sees the first characters of a text."""

    fingerprint = "scripted"

    def __init__(self, said: dict[str, str], *, seen: int = 1000) -> None:
        self._said, self._seen, self.asked = said, seen, list[str]()
        self._parser = Task(PROMPT.prompt, (), multi_label=False).parser()

    def windows(self, texts: Sequence[str]) -> list[Window]:
        return [Window(min(self._seen, len(text)), text) for text in texts]

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        self.asked += texts
        for number, text in enumerate(texts):
            yield [(number, self._said[text])]

    def read(self, response: str) -> ParsedAnswer:
        return self._parser.read(response, cut=False)


def _built(folder: Path) -> dict[str, Path]:
    """Write a prompt with counterfactuals, the second prompt as training, and return the files."""
    changes = [name.partition(">")[2] for name in [*ANSWERS, *UNREAD] if "name" in name]
    flips = [({"name": name}, f"{ASKED[0]} Say it to {name}.") for name in changes]
    flips.append(({"age": "new"}, f"{ASKED[0]} It is new."))
    prompt = BasePrompt(
        ASKED[0],
        {"name": "Ada", "age": "old"},
        counterfactuals=tuple(Counterfactual(*flip, ("any",)) for flip in flips),
    )
    files = {name: folder / f"{name}.parquet" for name in ("corpus", "suite")}
    other = BasePrompt(ASKED[1], {}, split="training")
    build_probe([prompt, other], **files, probe_rows=folder / "told.parquet")
    return files


def _answered(folder: Path, answers: dict[str, Row], *, suite: Path) -> Path:
    """Write the predictions with these answers by the changes of a prompt."""
    (original_id,) = set(pq.read_table(suite)["original_id"].to_pylist())
    rows = [
        {
            "input_id": original_id + name,
            "outcome": None,
            "scores": None,
            "visible_order": name.count("|"),
            "input_hash": name,
            **answer,
        }
        for name, answer in answers.items()
    ]
    return write_rows(folder / "answers.parquet", rows, PREDICTIONS_SCHEMA)


def _texts(suite: Path) -> dict[str, str]:
    """Return what a judge is asked about each answer."""
    written = pq.read_table(suite).to_pylist()
    prompts = {"": ASKED[0]}
    prompts |= {row["mutant_id"].removeprefix(row["original_id"]): row["text"] for row in written}
    return {
        name: PROMPT.text(prompt=prompts[name], answer=answer["answer"])
        for name, (answer, *_) in ANSWERS.items()
    }


def test_the_judge_decides_what_answers_with_words_mean(tmp_path: Path) -> None:
    files = _built(tmp_path)
    given = {**{name: answer for name, (answer, *_) in ANSWERS.items()}, **UNREAD}
    answers = _answered(tmp_path, given, suite=files["suite"])
    texts = _texts(files["suite"])
    judge = Scripted({texts[name]: said for name, (_, said, *_) in ANSWERS.items()})
    opened = Opened(judge, ResponseStore(tmp_path / "store", fingerprint=judge.fingerprint))
    path = tmp_path / "judged.parquet"
    write_judged(opened, prompt=PROMPT, answers=answers, **files, path=path)
    assert sorted(judge.asked) == sorted(texts.values())
    table = pq.read_table(path)
    assert table.schema.equals(JUDGED_SCHEMA)
    found = {row["input_hash"]: row for row in table.to_pylist()}
    before = {row["input_hash"]: row for row in pq.read_table(answers).to_pylist()}
    for name, (_, said, status, outcome) in ANSWERS.items():
        row = found[name]
        assert (row["status"], row["outcome"], row["judgement"]) == (status, outcome, said)
        assert (row["parsed_status"], row["parsed_outcome"]) == (
            before[name]["status"],
            before[name]["outcome"],
        )
    for name in UNREAD:
        more = dict.fromkeys(("judgement", "parsed_status", "parsed_outcome"))
        assert found[name] == before[name] | more
    kept = ("input_id", "answer", "visible_order")
    assert all(found[name][key] == row[key] for name, row in before.items() for key in kept)
    # Scores are those of the label that exact parsing has found.
    scored = {name for name, row in found.items() if row["scores"]}
    assert scored == {"|age:old>new"}
    write_judged(opened, prompt=PROMPT, answers=answers, **files, path=path)
    assert len(judge.asked) == len(texts) and pq.read_table(path).equals(table)


def test_a_prompt_and_answer_are_put_into_the_question_as_they_are() -> None:
    text = PROMPT.text(prompt="Is {answer} or {prompt} a field?", answer="{prompt} is.")
    assert "Question: Is {answer} or {prompt} a field?\nAnswer: {prompt} is.\n" in text
    assert "doctor, nurse" in PROMPT.prompt.instruction and "{" not in PROMPT.prompt.instruction


def test_an_answer_that_the_judge_does_not_see_whole_is_refused(tmp_path: Path) -> None:
    files = _built(tmp_path)
    given = {name: answer for name, (answer, *_) in ANSWERS.items()}
    answers = _answered(tmp_path, given, suite=files["suite"])
    judge = Scripted({}, seen=30)
    opened = Opened(judge, ResponseStore(tmp_path / "store", fingerprint=judge.fingerprint))
    probe_rows = r"answer to \w+, for the judge: found \d+ characters, of which the model sees 30"
    with pytest.raises(InputError, match=probe_rows):
        write_judged(opened, prompt=PROMPT, answers=answers, **files, path=tmp_path / "judged")
    assert not judge.asked and not (tmp_path / "judged").exists()


KEY, KEY_VARIABLE = "sk-neverShowThisToAnyone", "JUDGE_KEY"
PRICES = {"smollm2": {"input": 1000.0, "output": 3000.0}}
ANSWER_TOKENS = 8


def _sheet(address: str, **changes: Any) -> dict[str, Any]:
    return Endpoint(
        about="a small judge",
        kind="endpoint",
        base_url=f"http://{address}/v1",
        model="smollm2",
        key_variable=KEY_VARIABLE,
        tokenizer="cl100k_base",
        context_tokens=400,
        concurrency=2,
        **changes,
    ).model_dump()


def _opened(folder: Path, resources: Path, *, prompt: JudgePrompt, address: str) -> Any:
    write_approval(folder / "approval.json", budget_usd=1.0, prices=PRICES)
    return open_judge(
        resources / "cl100k_base",
        prompt=prompt,
        sheet=_sheet(address),
        seed=1,
        store=folder / "store",
        approval=str(folder / "approval.json"),
    )


def _planned(opened: Any, folder: Path, files: dict[str, Path], **changes: Any) -> Row:
    settings: dict[str, Any] = {"models": 1, "answer_tokens": ANSWER_TOKENS}
    settings["prices"] = Prices(PRICES["smollm2"]["input"], PRICES["smollm2"]["output"])
    plan = folder / "plan.parquet"
    write_judge_plan(opened.asked, prompt=PROMPT, **files, plan=plan, **(settings | changes))
    (row,) = pq.read_table(plan).to_pylist()
    return dict(row)


def test_a_plan_has_every_answer_of_every_model_at_its_longest(
    tmp_path: Path, resources: Path
) -> None:
    files = _built(tmp_path)
    opened = _opened(tmp_path, resources, prompt=PROMPT, address="127.0.0.1:9")
    row = _planned(opened, tmp_path, files)
    inputs = len(ANSWERS) + len(UNREAD)
    longest = PROMPT.text(prompt=f"{ASKED[0]} Say it to Bo.", answer="")
    (tokens,) = opened.asked.input_tokens([longest])
    assert row["calls"] == inputs
    assert row["input_tokens"] == inputs * (tokens + 2 * ANSWER_TOKENS)
    assert row["output_tokens"] == inputs * SHEET.max_answer_tokens
    assert row["nano_dollars"] == row["input_tokens"] * 10**6 + row["output_tokens"] * 3 * 10**6
    assert _planned(opened, tmp_path, files, models=3)["calls"] == 3 * inputs
    assert _planned(opened, tmp_path, files, prices=None)["nano_dollars"] is None


def test_what_a_judge_may_cost_is_told_apart_and_falls_due_whatever_the_suite(
    tmp_path: Path, resources: Path
) -> None:
    files = _built(tmp_path)
    opened = _opened(tmp_path, resources, prompt=PROMPT, address="127.0.0.1:9")
    dollars = _planned(opened, tmp_path, files)["nano_dollars"] / 1e9
    run = PlannedRun("j", "p", tmp_path / "plan.parquet", **files)
    (probe_rows,) = tabulate_plan([run]).to_dict("records")
    assert (probe_rows["model"], probe_rows["dataset"], probe_rows["part"]) == (
        "j",
        "p",
        "judged answers",
    )
    assert probe_rows["dollars"] == pytest.approx(dollars)
    assert affordable_originals([run], dollars=dollars * 0.99, seed=1) == 0
    assert affordable_originals([run], dollars=dollars, seed=1) == 1


@pytest.mark.long
def test_a_real_judge_is_paid_once_and_no_more_than_planned(
    tmp_path: Path, resources: Path, shallow_gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    files = _built(tmp_path)
    given = {name: answer for name, (answer, *_) in ANSWERS.items()}
    answers = _answered(tmp_path, given, suite=files["suite"])
    ledger = Ledger(tmp_path / "store" / "spending.sqlite", None)
    with serving(shallow_gguf, context_tokens=400, key=KEY) as address:
        opened = _opened(tmp_path, resources, prompt=PROMPT, address=address)
        plan = _planned(opened, tmp_path, files)
        settings = {"prompt": PROMPT, "answers": answers, **files}
        write_judged(opened, path=tmp_path / "one.parquet", **settings)
        spent = sum(ledger.sums())
        write_judged(opened, path=tmp_path / "two.parquet", **settings)
    rows = pq.read_table(tmp_path / "one.parquet").to_pylist()
    assert len(opened.store) == len(rows) == len(ANSWERS)
    for row in rows:
        assert row["judgement"] and (row["status"] == "ok") == (row["outcome"] is not None)
        assert set(row["outcome"] or ()) <= set(LABELS)
    assert 0 < spent == sum(ledger.sums()) <= plan["nano_dollars"]
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


class Mood:
    """A classifier that calls an answer happy if it says so, and sees its first 20 characters."""

    fingerprint = "mood"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def windows(self, texts: Sequence[str]) -> list[Window]:
        return [Window(min(20, len(text)), text[:20]) for text in texts]

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        self.asked += texts
        yield [(number, text[:20]) for number, text in enumerate(texts)]

    def read(self, response: str) -> ParsedAnswer:
        label = "happy" if "happy" in response else "sad"
        return ParsedAnswer(Status.OK, (label,), None, {"happy": 1.0, "sad": -1.0})


def _answer(input_id: str, answer: str | None, status: str = "ok") -> Row:
    return {
        "input_id": input_id,
        "outcome": [] if status == "ok" else None,
        "status": status,
        "answer": answer,
        "scores": None,
        "visible_order": input_id.count("|"),
        "input_hash": input_id,
    }


def test_given_answers_are_rated_once_and_others_keep_their_status(tmp_path: Path) -> None:
    answers = [
        _answer("a", "I am happy."),
        _answer("a|MR4", "I am not."),
        _answer("a|MR5", "I am happy."),
        _answer("b", "I cannot say.", "refused"),
        _answer("b|MR4", "", "unparsed"),
        _answer("b|MR5", None, "identical"),
    ]
    path, mood = tmp_path / "ratings.parquet", Mood()
    opened = Opened(mood, ResponseStore(tmp_path / "store", fingerprint=mood.fingerprint))
    given = write_rows(tmp_path / "answers.parquet", answers, PREDICTIONS_SCHEMA)
    write_ratings(opened, answers=given, path=path)
    assert sorted(mood.asked) == ["I am happy.", "I am not."]
    rows = pq.read_table(path).to_pylist()
    assert [(row["status"], row["outcome"]) for row in rows] == [
        *(("ok", ["happy"]), ("ok", ["sad"]), ("ok", ["happy"])),
        *(("refused", None), ("unparsed", None), ("identical", None)),
    ]
    assert [row["answer"] for row in rows] == [row["answer"] for row in answers]
    assert dict(rows[0]["scores"]) == {"happy": 1.0, "sad": -1.0} and rows[3]["scores"] is None
    write_ratings(opened, answers=given, path=path)
    assert len(mood.asked) == 2
