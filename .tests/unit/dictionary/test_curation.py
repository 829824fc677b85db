"""Curation files, checked against each other, and descriptors of persons with their pairs."""

from pathlib import Path
from typing import Any

import build_dictionary
import pytest
import yaml
from described import PERSONS, SHEETS, descriptions_of, project_sheets
from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import (
    CONTROL,
    Curation,
    build_groups,
    build_pairs,
    check_curation,
    settle_controls,
)
from hinter.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
POSTS = ROOT / "data" / "sbic" / "group_posts.csv"


def _curation(folder: Path, *row: str, attribute: str) -> Curation:
    """A curation of one row, a term per group, in the file of its attribute."""
    path = folder / f"{attribute}.yaml"
    groups = [f"group_{number}" for number in range(len(row))]
    terms = [dict(zip(groups, row, strict=True))]
    sheet = {
        "attribute": attribute,
        "categories": [],
        "groups": {group: {"sbic": []} for group in groups},
        "pairs": [{"form": "aligned", "word_class": "noun_plural", "terms": terms}],
    }
    path.write_text(yaml.safe_dump(sheet, sort_keys=False), encoding="utf-8")
    return check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)


def _refusal(folder: Path, *, control: str, sensitive: str) -> str:
    curations = [
        _curation(folder, "films", control, attribute="control"),
        _curation(folder, sensitive, "monks", attribute="gender"),
    ]
    with pytest.raises(InputError) as refused:
        settle_controls(curations)
    return str(refused.value)


@pytest.mark.parametrize(
    ("control", "sensitive"),
    [
        ("movies", "movies"),
        ("Movies", "MOVIES"),
        ("movies", "leading movies"),
        ("movies", "movie-goers and movies"),
        ("movies with people", "people"),
        ("self-employed staff", "employed staff"),
    ],
)
def test_control_that_shares_its_words_with_a_sensitive_term_is_refused(
    control: str, sensitive: str, tmp_path: Path
) -> None:
    message = _refusal(tmp_path, control=control, sensitive=sensitive)
    assert message.startswith(f"{tmp_path / 'control.yaml'}, term '{control}': found words of the ")
    assert f"sensitive term '{sensitive}' of {tmp_path / 'gender.yaml'}; expected" in message


@pytest.mark.parametrize("sensitive", ["moviegoers", "movie people", "mov", "ies"])
def test_control_that_shares_only_letters_is_accepted(sensitive: str, tmp_path: Path) -> None:
    settle_controls(
        [
            _curation(tmp_path, sensitive, "monks", attribute="gender"),
            _curation(tmp_path, "films", "movies", attribute="control"),
        ]
    )


def test_sensitive_attributes_may_share_words(tmp_path: Path) -> None:
    settle_controls(
        [
            _curation(tmp_path, "people", "old people", attribute="age"),
            _curation(tmp_path, "people", "tall people", attribute="body"),
        ]
    )


def test_dictionary_is_not_built_with_a_control_of_sensitive_words(tmp_path: Path) -> None:
    curations = [
        _curation(tmp_path, "people", "tall people", attribute="body").path,
        _curation(tmp_path, "tall", "high", attribute="control").path,
    ]
    with pytest.raises(InputError, match="term 'tall': found words of the sensitive term"):
        build_dictionary.main(
            dictionary=[str(path) for path in curations],
            operators=["literal"],
            attributes=["body"],
            posts=str(POSTS),
            groups=str(tmp_path / "groups.csv"),
            pairs=str(tmp_path / "pairs.csv"),
        )
    assert not (tmp_path / "pairs.csv").exists()


def test_a_descriptor_goes_before_nouns_and_in_the_place_of_those_of_other_groups() -> None:
    persons = {**PERSONS, "persons": [{"implies": [], "nouns": ["doctor"]}]}
    pairs = build_pairs(descriptions_of(["body"], persons=persons, sheets=SHEETS))
    assert [(pair.pair_id, pair.source_group, pair.target_group) for pair in pairs] == [
        ("body:blind>deaf", "blind", "deaf"),
        ("body:blind>hard-of-hearing", "blind", "deaf"),
        ("body:deaf>blind", "deaf", "blind"),
        ("body:doctor>blind", "undescribed", "blind"),
        ("body:doctor>deaf", "undescribed", "deaf"),
        ("body:doctor>hard-of-hearing", "undescribed", "deaf"),
        ("body:hard-of-hearing>blind", "deaf", "blind"),
    ]


def _refusal_of_descriptors(*, persons: dict[str, Any] | None = None, **changes: Any) -> str:
    sheet = {**SHEETS["body"], **changes}
    with pytest.raises(InputError) as refused:
        descriptions_of(
            ["age", "body"], persons=persons or PERSONS, sheets={**SHEETS, "body": sheet}
        )
    return str(refused.value)


def test_a_descriptor_that_excludes_every_noun_is_refused() -> None:
    implied = {"deaf": {"descriptors": ["deaf"], "excluded": ["young"]}}
    young = {**PERSONS, "persons": [{"implies": ["young"], "nouns": ["child"]}]}
    with pytest.raises(InputError, match="elderly"):
        descriptions_of(["age"], persons=young, sheets=SHEETS)
    assert "a noun that its descriptors can describe" in _refusal_of_descriptors(
        persons=young, groups=implied
    )


@pytest.mark.parametrize("word", ["young", "doctor", "blind"])
def test_a_word_that_stands_twice_is_refused(word: str) -> None:
    groups = {
        "blind": {"descriptors": ["blind"], "excluded": []},
        "other": {"descriptors": [word], "excluded": []},
    }
    assert f"'{word}'" in _refusal_of_descriptors(groups=groups)


def test_a_noun_in_two_blocks_is_refused() -> None:
    twice = {**PERSONS, "persons": [*PERSONS["persons"], {"implies": [], "nouns": ["nurse"]}]}
    message = _refusal_of_descriptors(persons=twice)
    assert "persons.yaml, 'nurse'" in message
    assert "Remove one" in message


def test_words_are_plain() -> None:
    groups = {"deaf": {"descriptors": ["de*f"], "excluded": []}}
    assert "the term 'de*f'" in _refusal_of_descriptors(groups=groups)


def test_the_projects_sheets_say_enough() -> None:
    persons, sheets = project_sheets()
    nouns = [noun for block in persons["persons"] for noun in block["nouns"]]
    assert len(nouns) >= 300
    assert CONTROL in sheets
    sensitive = {name: sheet for name, sheet in sheets.items() if name != CONTROL}
    assert sum(len(sheet["groups"]) for sheet in sensitive.values()) >= 40
    for name, least in {"body": 12, "race": 12, "religion": 8}.items():
        assert len(sheets[name]["groups"]) >= least
    described = descriptions_of([*sheets], persons=persons, sheets=sheets)
    assert len(build_pairs(described)) > 10_000
    assert {row["posts"] for row in build_groups(described, posts={})} == {0}
    ranks = [sheet["rank"] for sheet in sheets.values()]
    assert min(ranks) == sheets[CONTROL]["rank"] < sorted(ranks)[1]
    assert max(ranks) == sheets["gender"]["rank"]


def test_entries_are_those_of_the_pairs() -> None:
    persons, sheets = project_sheets()
    for one in descriptions_of([*sheets], persons=persons, sheets=sheets):
        assert one.entries() == {entry for pair in one.pairs() for entry in pair}


def test_what_nouns_imply_excludes_something_and_the_other_way_round() -> None:
    persons, sheets = project_sheets()
    implied = {word for block in persons["persons"] for word in block["implies"]}
    excluded = {
        word
        for sheet in sheets.values()
        for group in sheet["groups"].values()
        for word in group["excluded"]
    }
    # What stands for persons only in the plural is told by its number.
    assert implied - {"plural"} == excluded
