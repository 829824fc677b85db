"""Examined cases: the places that suffice, and how often cases hold."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from hinter.cases import choose_cases, write_cases
from hinter.predictions import Opened
from hinter.responses import ResponseStore
from judged import GENDER, RACE, TEXTS, Judged, Simulated, outcome_of

HIDDEN, LAST = f"both|{GENDER}|{RACE}", f"last|{GENDER}|{RACE}"


def _examine(judged: Judged, *, repeats: int | None = None, answers: int = 1000) -> dict[str, Any]:
    path = judged.folder / "cases.parquet"
    cases = choose_cases(
        judged.verdicts,
        corpus=judged.folder / "corpus.parquet",
        answers=answers,
        repeats=repeats or 1,
        seed=1,
    )
    write_cases(
        Opened(judged.model, ResponseStore(judged.folder / "store", fingerprint="simulated")),
        cases=cases,
        repeats=repeats,
        outcome_statuses=[],
        path=path,
    )
    return {row["mutant_id"]: row for row in pq.read_table(path).to_pylist()}


def _sufficient(row: dict[str, Any]) -> list[tuple[str, int, int]]:
    text = TEXTS[row["mutant_id"].split("|")[0]]
    return [(text[at["start"] : at["end"]], at["start"], at["attribute"]) for at in row["edits"]]


def test_cases_are_narrowed_to_the_planted_places(judged: Judged) -> None:
    found = _examine(judged)
    assert _sufficient(found[HIDDEN]) == [("man", 17, "gender"), ("Greek", 37, "race")]
    assert _sufficient(found[LAST]) == [("man", 24, "gender")]
    for row, replaced in zip((found[HIDDEN], found[LAST]), (4, 3), strict=True):
        assert (row["replaced"], row["sufficient"]) == (replaced, len(row["edits"]))
        assert row["minimal"]
        assert (row["status"], row["outcome"]) == ("ok", ["negative"])


def test_a_deterministic_model_is_not_asked_again(judged: Judged) -> None:
    for row in _examine(judged).values():
        assert row["repeats"] is row["times_biased"] is row["times_hidden"] is None
    assert set(judged.model.asked.values()) == {1}


def test_no_more_answers_are_asked_than_cases_are_allowed(judged: Judged) -> None:
    before = len(judged.model.asked)
    _examine(judged, repeats=3, answers=22)
    assert 2 * 4 < sum(judged.model.asked.values()) - before <= 22


def test_cases_that_always_hold_are_told_so(judged: Judged) -> None:
    found = _examine(judged, repeats=4)
    counts = [found[key][name] for key in (HIDDEN, LAST) for name in ("times_biased", "repeats")]
    assert counts == [4] * 4
    assert found[HIDDEN]["times_hidden"] == 4
    assert found[LAST]["times_hidden"] is None


def test_a_case_holds_as_often_as_its_answers_say(tmp_path: Path) -> None:
    """The mutant of `both` is unbiased each third time, and a sub-mutant biased the fifth time."""

    def outcome(text: str, turn: int) -> str:
        whole = text == "A woman sang. That woman, said a woman, is Thai."
        if whole and turn % 3 == 0:
            return "positive"
        if text == TEXTS["both"].replace("Greek", "Thai") and turn == 5:
            return "negative"
        return "none" if text == TEXTS["last"] and turn == 2 else outcome_of(text)

    found = _examine(Judged(tmp_path, Simulated(outcome)), repeats=7)
    assert (found[HIDDEN]["times_biased"], found[HIDDEN]["times_hidden"]) == (5, 4)
    # Without an outcome of the original there is none to differ from.
    assert (found[LAST]["times_biased"], found[LAST]["repeats"]) == (6, 7)


def test_places_without_an_outcome_do_not_suffice(tmp_path: Path) -> None:
    """With one woman alone there is no answer, so the Greek must become a Thai as well."""

    def outcome(text: str, _: int) -> str:
        women, greek = text.count("woman"), "Greek" in text
        if women == 1 and greek:
            return "none"
        return "negative" if women and not greek else "positive"

    found = _examine(Judged(tmp_path, Simulated(outcome)))
    for row in found.values():
        assert sorted(at["attribute"] for at in row["edits"]) == ["gender", "race"]
        assert row["minimal"]


def test_without_cases_there_is_a_file_without_rows(tmp_path: Path) -> None:
    assert _examine(Judged(tmp_path, Simulated(lambda *_: "positive"))) == {}


def test_cases_are_the_same_when_answers_are_known(judged: Judged) -> None:
    first = _examine(judged, repeats=3)
    asked = dict(judged.model.asked)
    assert _examine(judged, repeats=3) == first
    assert judged.model.asked == asked
