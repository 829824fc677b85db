"""Persons described in tests: a few nouns and descriptors, or those of the project."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hinter.config import DescriptorSheet, OccurrencesSheet, PersonsSheet, read_sheet
from hinter.dictionary import Descriptions, build_pairs, check_descriptions
from hinter.mutation import MENTION_RULES, Describing, DictionaryIndex, Lists
from hinter.mutation.coherent import Annotating
from hinter.mutation.describing import PersonWords

ROOT = Path(__file__).resolve().parents[2]
PERSONS: dict[str, Any] = {
    "persons": [
        {"implies": [], "nouns": ["doctor", "friend", "nurse", "person", "teacher", "worker"]},
        {"implies": ["female"], "nouns": ["woman"]},
        {"implies": ["young"], "nouns": ["child"]},
        {"implies": ["male", "young"], "nouns": ["boy"]},
    ],
    "classifying": ["medical", "chief"],
}


def _sheet(attribute: str, rank: int, **groups: Sequence[str]) -> dict[str, Any]:
    """Descriptors by group; those of the groups named as in `excluded` go before no such nouns."""
    excluded = {"elderly": ["young"], "female": ["female", "male"], "young": ["young"]}
    return {
        "attribute": attribute,
        "rank": rank,
        "groups": {
            name: {"descriptors": list(descriptors), "excluded": excluded.get(name, [])}
            for name, descriptors in groups.items()
        },
    }


SHEETS = {
    "age": _sheet("age", 20, elderly=["elderly"], young=["young"]),
    "body": _sheet("body", 30, blind=["blind"], deaf=["deaf", "hard-of-hearing"]),
    "control": _sheet("control", 10, local=["local"], suburban=["suburban"], urban=["urban"]),
    "gender": _sheet("gender", 50, female=["female"], transgender=["transgender"]),
    "race": _sheet("race", 40, african=["African"], korean=["Korean"]),
}


def project_sheets() -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the project's sheet of persons, and those of descriptors by attribute."""
    persons = read_sheet(ROOT / "config" / "persons.yaml", PersonsSheet).model_dump()
    paths = sorted((ROOT / "config" / "descriptors").glob("*.yaml"))
    return persons, {path.stem: read_sheet(path, DescriptorSheet).model_dump() for path in paths}


def descriptions_of(
    attributes: Sequence[str], *, persons: Mapping[str, Any], sheets: Mapping[str, Any]
) -> list[Descriptions]:
    """Return the checked descriptors of some attributes."""
    chosen = {f"{attribute}.yaml": sheets[attribute] for attribute in attributes}
    return check_descriptions(chosen, persons=persons, where="persons.yaml")


def describing(
    annotator: Annotating,
    *,
    attributes: Sequence[str] = ("age", "body", "gender", "race"),
    persons: Mapping[str, Any] = PERSONS,
    sheets: Mapping[str, Mapping[str, Any]] = SHEETS,
    rules: Sequence[str] = tuple(MENTION_RULES),
    most: int | None = None,
    seed: int = 1,
) -> Describing:
    """Return what describes the persons of texts."""
    lists = read_sheet(ROOT / "config" / "occurrences.yaml", OccurrencesSheet).model_dump()
    return Describing(
        DictionaryIndex(build_pairs(descriptions_of(attributes, persons=persons, sheets=sheets))),
        annotator,
        Lists(**lists),
        PersonWords.of_sheet({**persons, "descriptors": [*sheets.values()]}),
        tuple(rules),
        most,
        seed,
    )
