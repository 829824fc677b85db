"""Descriptors of persons: which pairs they make, and the sheets of the project."""

from typing import Any

import pytest
from described import PERSONS, SHEETS, descriptions_of, project_sheets
from hinter.dictionary import CONTROL, build_groups, build_pairs
from hinter.errors import InputError


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


def _refusal(*, persons: dict[str, Any] | None = None, **changes: Any) -> str:
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
    assert "a noun that its descriptors can describe" in _refusal(persons=young, groups=implied)


@pytest.mark.parametrize("word", ["young", "doctor", "blind"])
def test_a_word_that_stands_twice_is_refused(word: str) -> None:
    groups = {
        "blind": {"descriptors": ["blind"], "excluded": []},
        "other": {"descriptors": [word], "excluded": []},
    }
    assert f"'{word}'" in _refusal(groups=groups)


def test_a_noun_in_two_blocks_is_refused() -> None:
    twice = {**PERSONS, "persons": [*PERSONS["persons"], {"implies": [], "nouns": ["nurse"]}]}
    message = _refusal(persons=twice)
    assert "persons.yaml, 'nurse'" in message
    assert "Remove one" in message


def test_words_are_plain() -> None:
    groups = {"deaf": {"descriptors": ["de*f"], "excluded": []}}
    assert "the term 'de*f'" in _refusal(groups=groups)


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
