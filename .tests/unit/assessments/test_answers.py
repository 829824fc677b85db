"""Answers of readers: which are read, left open or refused."""

import re
from pathlib import Path

import pytest
from forms import FORM, answer, write_answers
from hinter.assessments import Answers, Assessment, read_answers
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
