"""Answers of readers: which are read, left open or refused."""

import re
from pathlib import Path

import check_assessed
import pyarrow.parquet as pq
import pytest
import write_form
from forms import FORM, ROOT, answer, case_answer, rows_of, write_answers
from hinter.assessments import (
    BLIND,
    OF_ASSESSED,
    OF_CASES,
    OF_FORM,
    Answers,
    AssessedMutant,
    Assessment,
    assessed_about,
    is_tied,
    majority,
    read_answers,
    with_people,
)
from hinter.config.method import Invariant
from hinter.errors import InputError
from hinter.mutation import MENTION_RULES, RULES
from hinter.tables.rq3.comparator_validity import describe_people, tabulate_comparator_validity


def test_answers_are_read_and_open_ones_left_out(tmp_path: Path) -> None:
    said = {"o1|p": "yn", "o1|p|q": "y-", "o2|p": "--"}
    path = write_answers(tmp_path, "ada", [answer(*item) for item in said.items()])
    expected = Answers("ada", {"o1|p": Assessment(grammar=True, meaning=False)})
    assert read_answers(OF_FORM, [path], known=FORM) == [expected]


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
        read_answers(OF_FORM, [path], known=FORM)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ada.csv"
    path.write_text("mutant_id,grammar\no1|p,yes\n")
    with pytest.raises(InputError, match=r"line 2: found .* expected a column 'meaning'"):
        read_answers(OF_FORM, [path], known=FORM)


def test_readers_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    paths = [write_answers(folder, "ada", []) for folder in (tmp_path, tmp_path / "b")]
    with pytest.raises(InputError, match=r"found two files named 'ada\.csv'"):
        read_answers(OF_FORM, paths, known=FORM)


def test_answers_on_cases_have_one_question_more(tmp_path: Path) -> None:
    said = {"o1|p": "yny", "o1|p|q": "yy-"}
    path = write_answers(tmp_path, "ada", [case_answer(*item) for item in said.items()])
    told = Assessment(grammar=True, meaning=False, bias=True)
    assert read_answers(OF_CASES, [path], known=said) == [Answers("ada", {"o1|p": told})]
    form = write_answers(tmp_path, "bob", [answer("o1|p", "yy")])
    assessed = write_answers(tmp_path, "eve", [{"sample": "coherent"} | answer("o1|p", "ny")])
    empty = write_answers(tmp_path, "nobody", [])
    paths = [path, form, assessed, empty]
    found = [
        [annotator.annotator for annotator in read_answers(about, paths, known=said)]
        for about in (OF_CASES, OF_ASSESSED, OF_FORM)
    ]
    assert found == [["ada"], ["eve"], ["bob", "nobody"]]
    with pytest.raises(InputError, match=r"a mutant of results/assessment/assessed_form\.csv"):
        read_answers(OF_ASSESSED, paths, known=["o2|p"])


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
        read_answers(OF_CASES, [path], known=FORM)


YES, NO = Assessment(grammar=True, meaning=True), Assessment(grammar=False, meaning=False)
ASSESSMENTS = ROOT / "data" / "validity" / "assessments.csv"


def test_most_readers_decide_and_a_tie_counts_as_no() -> None:
    half = Assessment(grammar=True, meaning=False)
    assert majority([YES, YES, NO]) == YES
    assert majority([YES, half]) == half
    assert [is_tied([YES, half]), is_tied([YES, half, NO]), is_tied([YES])] == [True, False, False]


def test_people_take_the_place_of_language_models(assessed: list[AssessedMutant]) -> None:
    asked = assessed_about(assessed, operators=["literal"])
    read = asked[::3]
    ada = Answers("ada", {mutant.mutant_id: YES for mutant in read})
    bob = Answers("bob", {mutant.mutant_id: NO for mutant in read[:5]})
    told = with_people(assessed, [ada, bob], operators=["literal"])
    own = assessed_about(told, operators=["literal"])
    assert [(mutant.mutant_id, mutant.people) for mutant in own] == [
        (mutant.mutant_id, 2 if mutant in read[:5] else 1) for mutant in read
    ]
    assert [mutant.final for mutant in own] == [NO] * 5 + [YES] * (len(read) - 5)
    # Those that were read stand for all of their stratum.
    for stratum in {mutant.stratum for mutant in asked}:
        before, after = (
            sum(mutant.weight for mutant in mutants if mutant.stratum == stratum)
            for mutants in (asked, own)
        )
        assert after == pytest.approx(before)
    others = [mutant for mutant in assessed if mutant.sample != "comparators"]
    assert [mutant for mutant in told if mutant.sample != "comparators"] == others


def test_readings_tell_of_coherent_mutants_that_the_rules_let_pass(
    assessed: list[AssessedMutant],
) -> None:
    told = assessed_about(assessed, operators=["coherent"])
    assert {mutant.half for mutant in told} == {"test"}
    assert all(mutant.rules is not None and mutant.rules.isdisjoint(RULES) for mutant in told)
    # What all rules of then let pass is counted by one draw alone.
    assert {mutant.sample for mutant in told} == {"coherent", "literal"}
    assert all(mutant.rules for mutant in told if mutant.sample == "literal")
    assert len(told) == len({mutant.mutant_id for mutant in told})


def test_readings_tell_of_described_mutants_that_the_rules_of_now_make(
    assessed: list[AssessedMutant],
) -> None:
    told = assessed_about(assessed, operators=["describe"])
    assert {mutant.half for mutant in told} == {"test"}
    assert {mutant.sample for mutant in told} == {"described", "described_drafts"}
    assert all(mutant.rules == frozenset() for mutant in told)
    sampled = [mutant for mutant in assessed if mutant.sample.startswith("described")]
    named = set().union(*(mutant.rules or () for mutant in sampled))
    assert named <= {*MENTION_RULES}
    assert len(named) > 5


def test_without_answers_nothing_changes(assessed: list[AssessedMutant]) -> None:
    assert with_people(assessed, [Answers("ada", {})], operators=["coherent"]) == assessed


COHERENT = ("coherent", "test", "")


def _some_assessed(folder: Path) -> str:
    """Write a few of the assessed mutants that tell of coherent ones, and return their file."""
    rows = rows_of(ASSESSMENTS)
    told = [row for row in rows if (row["sample"], row["half"], row["rules"]) == COHERENT]
    return str(write_answers(folder, "assessments", told[::8]))


def test_people_who_fill_in_the_form_of_assessed_mutants_decide(
    tmp_path: Path, parser_folder: Path
) -> None:
    assessments = _some_assessed(tmp_path)
    form = tmp_path / "assessed_form.csv"
    write_form.main(
        assessments=Path(assessments),
        guideline=ROOT / "data/validity/guideline.md",
        template=ROOT / "workflow/scripts/hinter/assessments/form.html",
        operators=["coherent"],
        form=form,
        page=form.with_suffix(".html"),
    )
    rows = rows_of(form)
    assert len(rows) == 30
    assert all(row["sample"] == "coherent" and row["before"] != row["after"] for row in rows)
    page = form.with_suffix(".html").read_text(encoding="utf-8")
    assert '["sample", "mutant_id", "dataset"' in page
    said = [row | {"grammar": "yes", "meaning": "yes"} for row in rows[:20]]
    check_assessed.main(
        assessments=assessments,
        blind=str(ROOT / "data" / "validity" / "described_annotations.csv"),
        answers=[str(write_answers(tmp_path, "ada", said + rows[20:]))],
        parser=str(parser_folder),
        operators=["coherent"],
        invariant=Invariant().model_dump(mode="json"),
        store=str(tmp_path / "checks"),
        assessed=str(tmp_path / "assessed.parquet"),
    )
    checked = pq.read_table(tmp_path / "assessed.parquet").to_pandas()
    checked = checked[checked["half"] != BLIND]
    assert {*checked["mutant_id"]} == {row["mutant_id"] for row in said}
    assert checked["sound"].all()
    assert set(checked["people"]) == {1}
    table = tabulate_comparator_validity(checked, operators=["coherent"], seed=1)
    assert set(table["annotators"]) == {"people"}
    tolerant = table.set_index(["level", "comparator"]).loc[("all", "tolerant")]
    assert tolerant["precision"] == 1
    assert "20 mutants" in describe_people(checked)
