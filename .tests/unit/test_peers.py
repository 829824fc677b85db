"""What is counted of other tools' mutants, and how a tool that fails is reported."""

import sys
from pathlib import Path
from typing import Any, cast

import pytest
from bench_peers import PeerError, PeerMutant, changed, changed_spans, measure, reason_of, run_peer
from hinter.corpora import Text
from hinter.mutation import EditSpan, OnePerson, Persons

TEXTS = [Text("a", "He is a father."), Text("b", "It rains.")]


class _OnePerson:
    def one_person(self, text: str, edit_spans: list[EditSpan]) -> OnePerson:
        spans = [text[span.start : span.end] for span in edit_spans]
        return OnePerson.YES if spans == ["He", "father"] else OnePerson.NO


def test_case_spacing_and_repetition_make_no_mutant() -> None:
    made = [
        PeerMutant(0, ("gender",), text)
        for text in ("he is a father .", "She is a mother.", "She is a mother.")
    ]
    assert changed(made, TEXTS) == made[1:2]


@pytest.mark.parametrize(
    ("mutant", "expected"),
    [
        ("She is a mother.", ["He", "father"]),
        ("He is a tall father.", ["father"]),
        ("He is.", ["a father"]),
        ("He is a father. Yes", []),
    ],
)
def test_changed_words_have_spans_in_the_original(mutant: str, expected: list[str]) -> None:
    text = TEXTS[0].text
    found = changed_spans(text, mutant)
    assert [text[span.start : span.end] for span in found] == expected


def test_the_figures_of_a_tool() -> None:
    made = [
        PeerMutant(0, ("gender",), "She is a mother."),
        PeerMutant(0, ("gender", "race"), "She is a Nubian."),
        PeerMutant(0, ("age", "gender"), "She is a mother!", "yes"),
    ]
    outcomes = {mutant.text: "good" for mutant in made} | {TEXTS[0].text: "good"}
    outcomes["She is a mother."] = "bad"
    persons = cast(Persons, _OnePerson())
    assert measure(made, 0.6, texts=TEXTS, outcomes=outcomes, persons=persons) == {
        "mutants_per_text": 1.5,
        "share_of_texts": 0.5,
        "attributes": ["age", "gender", "race"],
        "two_attributes": 2,
        "one_person": 2,
        "one_person_reason": None,
        "seconds_per_1000": 200.0,
        "mutants": 3,
        "outcomes_changed": 1,
    }


def test_without_mutants_of_two_attributes_a_reason_is_given() -> None:
    found: dict[str, Any] = measure(
        [], 0.0, texts=TEXTS, outcomes={}, persons=cast(Persons, _OnePerson())
    )
    assert (found["one_person"], found["one_person_reason"]) == (
        None,
        "no mutant of two attributes",
    )
    assert (found["mutants"], found["seconds_per_1000"]) == (0, None)


@pytest.mark.parametrize(
    ("stderr", "reason"),
    [
        ("Traceback\nnltk.LookupError: no punkt", "nltk.LookupError: no punkt"),
        (
            "LookupError: \n****\n  Resource punkt not found.\n",
            "LookupError: Resource punkt not found.",
        ),
        ("first\n  ╰─▶ last", "last"),
        ("", "no message"),
    ],
)
def test_the_reason_of_a_failure_is_its_error(stderr: str, reason: str) -> None:
    assert reason_of(stderr) == reason


def test_a_tool_that_cannot_be_run_is_reported(tmp_path: Path) -> None:
    (tmp_path / "none" / "bin").mkdir(parents=True)
    (tmp_path / "none" / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "none" / "installed").write_text("none==1", encoding="utf-8")
    with pytest.raises(PeerError, match="no mutants are made with none"):
        run_peer("none", ["none==1"], texts=TEXTS, folder=tmp_path)
