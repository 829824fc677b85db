"""Sources sampled from what templates can make, and sheets of prompts that cannot be used."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hinter.config import RelationsSheet
from hinter.errors import InputError
from hinter.relations import render, sample_sources
from hinter.relations.prompt import Prompt
from prompted import SHEET, read_prompts, small_sheet, studys_prompts, write_sheet

# The paper's sensitive attributes and their values.
TABLE_I = {
    "religion": ["Christianity", "Islam", "Judaism", "Buddhism", "Hinduism"],
    "occupation": ["teacher", "engineer", "lawyer", "doctor", "artist"],
    "language": ["English", "Spanish", "French", "Chinese", "Arabic"],
    "ethnicity": ["Caucasian", "African-American", "Asian", "Hispanic", "Native American"],
    "political_views": ["conservative", "liberal", "socialist", "libertarian"],
    "social_status": ["upper-class", "middle-class", "lower-class"],
    "marital_status": ["single", "married", "divorced", "widowed"],
    "economic_conditions": ["low-income", "middle-income", "high-income", "unemployed"],
}


def _sampled(prompts: RelationsSheet, size: int, *, seed: int = 1) -> list[Prompt]:
    return sample_sources(prompts, size=size, seed=seed, path=SHEET)


def test_the_study_makes_as_many_different_sources_as_the_paper() -> None:
    sources = _sampled(studys_prompts(), 4700)
    assert len({render(source) for source in sources}) == 4700
    assert {len(source.traits) for source in sources} == {2, 3, 4}


def test_a_draw_does_not_depend_on_the_order_of_the_sheet_and_holds_a_smaller_one() -> None:
    prompts = studys_prompts()
    reverse = dict(reversed(prompts.templates.items()))
    turned = prompts.model_copy(update={"templates": reverse})
    sources = [render(source) for source in _sampled(prompts, 300)]
    assert [render(source) for source in _sampled(turned, 300)] == sources
    assert [render(source) for source in _sampled(prompts, 30)] == sources[:30]
    assert {render(source) for source in _sampled(prompts, 300, seed=2)} != set(sources)


def test_a_draw_is_even_over_templates() -> None:
    sampled = Counter(source.name for source in _sampled(studys_prompts(), 36))
    assert set(sampled.values()) == {3} and len(sampled) == 12


def test_a_substitute_is_neither_the_value_nor_its_contrast() -> None:
    for source in _sampled(studys_prompts(), 500):
        for trait in source.traits:
            assert trait.substitute in trait.attribute.values
            assert trait.substitute not in (trait.value, trait.contrast)


def test_with_two_values_the_substitute_is_the_contrast(tmp_path: Path) -> None:
    for source in _sampled(read_prompts(write_sheet(tmp_path, small_sheet())), 4):
        assert [trait.substitute for trait in source.traits] == [
            trait.contrast for trait in source.traits
        ]


def test_more_sources_than_there_are_are_refused(tmp_path: Path) -> None:
    path = write_sheet(tmp_path, small_sheet())
    with pytest.raises(InputError) as refused:
        sample_sources(read_prompts(path), size=5, seed=1, path=path)
    assert str(refused.value) == (
        "configuration, key 'relations.sources': found 5; expected at most the 4 sources that "
        f"{path} makes. Sample fewer, or add templates or values."
    )


def test_the_attributes_are_those_of_the_papers_table() -> None:
    values = {name: list(each.values) for name, each in studys_prompts().attributes.items()}
    assert values == TABLE_I


Keys = tuple[str, ...]


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (
            ("attributes", "age", "values", "old", "contrast"),
            "ancient",
            "key 'attributes.age.values.old.contrast': found 'ancient'; expected another value",
        ),
        (
            ("attributes", "age", "values", "old", "contrast"),
            "old",
            "found 'old'; expected another value of the attribute: young",
        ),
        (
            ("attributes", "age", "clause"),
            "is {adverb}",
            "key 'attributes.age.clause': found the placeholder {adverb}; expected no",
        ),
        (
            ("attributes", "age", "clause"),
            "is old",
            "found no placeholder {name} or {adjective}; expected {name} or {adjective}, which",
        ),
        (("attributes", "age", "values"), {}, "key 'attributes.age.values': found {}; expected"),
        (
            ("templates", "praise", "main"),
            "who praised {somebody}",
            "key 'templates.praise.main': found an unknown slot 'somebody'; expected each of its",
        ),
        (
            ("templates", "praise", "contextual"),
            "who praised people",
            "key 'templates.praise.contextual': found slots none; expected each of its ",
        ),
        (
            ("templates", "praise", "gaps", "person", "phrases", "job"),
            "{noun}",
            "key 'templates.praise.gaps.person.phrases.job': found the placeholder {noun}",
        ),
        (
            ("templates", "praise", "gaps", "person", "phrases"),
            {"age": "{adjective}", "rank": "{name}"},
            "gaps.person.phrases.rank': found an unknown attribute; expected each of these at most",
        ),
        (
            ("templates", "praise", "gaps", "person", "phrases"),
            {"age": "{adjective}"},
            "key 'templates.praise.gaps': found 1 attribute; expected at least 2",
        ),
        (
            ("templates", "praise", "structural"),
            "who was praised as a {person}",
            "found an article without a noun in 'Who was praised as a?'; expected a sentence",
        ),
        (
            ("templates", "praise", "structural"),
            "who was praised as a {person} in town",
            "praised as an in town?'; expected a sentence",
        ),
        (
            ("templates", "praise", "end"),
            "!",
            "key 'templates.praise.end': found '!'; expected one of ?, .",
        ),
        (("templates", "praise", "start"), "So", "found the unknown key 'start'; expected only"),
    ],
)
def test_a_sheet_is_refused_with_file_and_key(
    keys: Keys, value: Any, message: str, tmp_path: Path
) -> None:
    sheet = small_sheet()
    sheet["templates"]["praise"]["gaps"]["person"]["bare"] = "" if "as a" in str(value) else "one"
    part: Any = sheet
    for key in keys[:-1]:
        part = part[key]
    part[keys[-1]] = value
    path = write_sheet(tmp_path, sheet)
    with pytest.raises(InputError) as refused:
        read_prompts(path)
    assert str(refused.value).startswith(f"{path}, key '")
    assert message in str(refused.value)


def test_an_attribute_in_two_gaps_is_refused(tmp_path: Path) -> None:
    sheet = small_sheet()
    template = sheet["templates"]["praise"]
    for wording in ("main", "contextual", "structural"):
        template[wording] += " {again}"
    template["gaps"]["again"] = {"phrases": {"age": "who is {adjective}"}}
    with pytest.raises(InputError, match=r"gaps\.again\.phrases\.age': found a repeated attr"):
        read_prompts(write_sheet(tmp_path, sheet))
