"""Sheets of prompts that cannot be used."""

from pathlib import Path
from typing import Any

import pytest
from hinter.errors import InputError
from prompted import read_prompts, small_sheet, write_sheet

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
