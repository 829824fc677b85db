"""Answers of readers: which are read, left open or refused."""

import re
from pathlib import Path

import pytest
from forms import FORM, answer, case_answer, write_answers
from hinter.assessments import (
    About,
    Answers,
    Assessment,
    CaseAssessment,
    answers_about,
    read_answers,
    read_assessed_answers,
    read_case_answers,
)
from hinter.errors import InputError


def test_answers_are_read_and_open_ones_left_out(tmp_path: Path) -> None:
    said = {"o1|p": "yn", "o1|p|q": "y-", "o2|p": "--"}
    path = write_answers(tmp_path, "ada", [answer(*item) for item in said.items()])
    expected = Answers("ada", {"o1|p": Assessment(grammar=True, meaning=False)})
    assert read_answers([path], form=FORM) == [expected]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([answer("o3|p", "yy")], "line 2, column 'mutant_id': found 'o3|p'; expected a mutant of"),
        (
            [answer("o1|p", "yy"), answer("o1|p", "--")],
            "line 3, column 'mutant_id': found 'o1|p'; expected every mutant once",
        ),
        (
            [answer("o1|p", "yy") | {"meaning": "Yes"}],
            "line 2, column 'meaning': found 'Yes'; expected yes or no. Correct the cell.",
        ),
        (
            [answer("o1|p", "-y") | {"grammar": " "}],
            "line 2, column 'grammar': found ' '; expected yes or no",
        ),
    ],
)
def test_bad_answers_are_named(rows: list[dict[str, str]], told: str, tmp_path: Path) -> None:
    path = write_answers(tmp_path, "ada", rows)
    with pytest.raises(InputError, match=re.escape(f"{path}, {told}")):
        read_answers([path], form=FORM)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ada.csv"
    path.write_text("mutant_id,grammar\no1|p,yes\n")
    with pytest.raises(InputError, match=r"line 2: found .* expected a column 'meaning'"):
        read_answers([path], form=FORM)


def test_readers_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    paths = [write_answers(folder, "ada", []) for folder in (tmp_path, tmp_path / "b")]
    with pytest.raises(InputError, match=r"found two files named 'ada\.csv'"):
        read_answers(paths, form=FORM)


def test_answers_on_cases_have_one_question_more(tmp_path: Path) -> None:
    said = {"o1|p": "yny", "o1|p|q": "yy-"}
    path = write_answers(tmp_path, "ada", [case_answer(*item) for item in said.items()])
    told = CaseAssessment(grammar=True, meaning=False, bias=True)
    assert read_case_answers([path], cases=said) == [Answers("ada", {"o1|p": told})]
    form = write_answers(tmp_path, "bob", [answer("o1|p", "yy")])
    assessed = write_answers(tmp_path, "eve", [{"draw": "coherent"} | answer("o1|p", "ny")])
    empty = write_answers(tmp_path, "nobody", [])
    found = {about: answers_about(about, [path, form, assessed, empty]) for about in About}
    assert found == {
        About.CASES: [path],
        About.ASSESSED: [assessed],
        About.FORM: [form, empty],
    }
    with pytest.raises(InputError, match=r"a mutant of results/assessment/assessed_form\.csv"):
        read_assessed_answers([assessed], assessed=["o2|p"])


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([case_answer("o3|p", "yyy")], "found 'o3|p'; expected a case of this study"),
        ([case_answer("o1|p", "yyx")], "column 'bias': found 'x'; expected yes or no"),
        ([case_answer("o1|p", "yyy")] * 2, "line 3, column 'mutant_id': found 'o1|p'"),
    ],
)
def test_bad_answers_on_cases_are_named(
    rows: list[dict[str, str]], told: str, tmp_path: Path
) -> None:
    path = write_answers(tmp_path, "ada", rows)
    with pytest.raises(InputError, match=re.escape(told)):
        read_case_answers([path], cases=FORM)
