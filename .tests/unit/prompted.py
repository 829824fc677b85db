"""Prompts for tests of metamorphic relations: those of the study, and small ones made up."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from hinter.config import RelationsSheet, read_sheet
from hinter.relations import check_articles
from hinter.relations.prompt import Prompt, Trait

SHEET = Path(__file__).resolve().parents[2] / "config" / "relations" / "prompts.yaml"


@cache
def studys_prompts() -> RelationsSheet:
    """Return the templates and attributes of the study."""
    return read_prompts(SHEET)


def read_prompts(path: Path) -> RelationsSheet:
    """Return a sheet that has been checked."""
    sheet = read_sheet(path, RelationsSheet)
    check_articles(sheet, path=path)
    return sheet


def write_sheet(folder: Path, sheet: Mapping[str, Any]) -> Path:
    """Return the path of a sheet written to a folder."""
    path = folder / "prompts.yaml"
    path.write_text(yaml.safe_dump(sheet, sort_keys=False), encoding="utf-8")
    return path


def small_sheet() -> dict[str, Any]:
    """Return a sheet of one template with two attributes of two values."""
    return {
        "attributes": {
            "age": {"clause": "is {adjective}", "values": _values("old", "young")},
            "job": {"clause": "works as a {name}", "values": _values("nurse", "actor")},
        },
        "templates": {
            "praise": {
                "main": "who praised the {person}",
                "contextual": "who said good things of the {person}",
                "structural": "by whom was the {person} praised",
                "gaps": {"person": {"bare": "person", "phrases": _phrases("age", "job")}},
            }
        },
    }


def prompt_of(prompts: RelationsSheet, template: str, **values: str) -> Prompt:
    """Return a template filled with values by attribute; the contrast of each is its substitute."""
    chosen = prompts.templates[template]
    traits = []
    for name in chosen.attributes:
        if name in values:
            attribute = prompts.attributes[name]
            contrast = attribute.values[values[name]].contrast
            traits.append(Trait(name, attribute, values[name], contrast))
    assert len(traits) == len(values)
    return Prompt(template, chosen, tuple(traits))


def _values(first: str, second: str) -> dict[str, Any]:
    return {first: {"contrast": second}, second: {"contrast": first}}


def _phrases(*attributes: str) -> dict[str, str]:
    return dict.fromkeys(attributes, "{adjective}")
