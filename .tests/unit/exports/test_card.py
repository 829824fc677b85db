"""The card: licences, sizes and types as hubs have them, and how closed texts are rebuilt."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from exported import CARD, source, studied
from hinter.exports.card import HUB_LICENCES, Size, card_of
from hinter.exports.parts import PARTS
from hinter.resources import read_registry
from huggingface_hub import DatasetCard


def _card(sources: Mapping[str, Mapping[str, Any]], *, rows: int = 1) -> DatasetCard:
    sizes = {part.name: Size(rows, 2, 3) for part in PARTS}
    return DatasetCard(card_of(sizes, studied=studied(sources), template=CARD))


@pytest.mark.parametrize(
    ("sources", "licence"),
    [
        ({"a": source(licence="CC-BY-4.0")}, "apache-2.0"),
        ({"a": source(licence="CC-BY-4.0", redistribute=True)}, ["apache-2.0", "cc-by-4.0"]),
        ({"a": source(licence="Apache-2.0", redistribute=True)}, "apache-2.0"),
        ({"a": source(licence="ours, see there", redistribute=True)}, "other"),
        # SPDX's name of a licence that the hub calls odc-by.
        ({"a": source(licence="ODC-By-1.0", redistribute=True)}, "other"),
    ],
)
def test_the_licences_are_those_of_the_study_and_of_texts_in_it(
    sources: Mapping[str, Mapping[str, Any]], licence: str | list[str]
) -> None:
    assert _card(sources).data.license == licence


@pytest.mark.parametrize(
    ("rows", "category"), [(10, "n<1K"), (250, "1K<n<10K"), (10**9, "1B<n<10B")]
)
def test_its_size_is_that_of_all_parts(rows: int, category: str) -> None:
    assert _card({}, rows=rows).data.size_categories == [category]


def test_it_says_how_to_rebuild_the_texts_that_are_not_there_and_of_no_others() -> None:
    told = _card({"a": source(), "b": source(licence="MIT", redistribute=True)}).text
    assert "snakemake --cores 1 -- results/corpora/a.parquet\n" in told
    place = "a file of the study's"
    assert f"| `a` | Notes about people | {place} | unknown | not here |" in told
    assert f"| `b` | Notes about people | {place} | MIT | in `suite` |" in told
    assert "rebuilt" not in _card({"b": source(licence="MIT", redistribute=True)}).text


def test_a_bar_in_what_a_user_says_stays_in_its_cell() -> None:
    told = _card({"a": source() | {"about": "notes | and\nmore"}}).text
    assert "| `a` | notes \\| and more | a file of the study's | unknown | not here |" in told


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"urls": ["https://a.org/x", "https://a.org/y"]}, "https://a.org/x https://a.org/y"),
        ({"repository": "maker/data", "package": "p 1"}, "maker/data"),
        ({"package": "p 1"}, "package p 1"),
    ],
)
def test_it_says_where_texts_come_from(changes: dict[str, Any], place: str) -> None:
    told = _card({"a": source() | changes}).text
    assert f"| `a` | Notes about people | {place} | unknown | not here |" in told


def test_it_says_what_was_studied_but_nobodys_server() -> None:
    told = _card({}).text
    assert "| `ours` | A model of ours | unlisted/ours |" in told
    assert "| seed | 1 |" in told
    assert "secret" not in told.lower()


def test_the_licences_of_texts_that_are_passed_on_are_known_to_the_hub(root: Path) -> None:
    registry = read_registry(root / "data" / "registry.yaml").values()
    passed_on = {entry["licence"].lower() for entry in registry if entry.get("redistribute")}
    assert passed_on
    assert passed_on <= HUB_LICENCES
