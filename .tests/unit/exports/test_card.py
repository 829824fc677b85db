"""The card: licences, sizes and types as hubs have them, and how closed texts are rebuilt."""

from collections.abc import Mapping
from typing import Any

import pytest
from exported import CITATION, source
from hinter.exports.card import Size, card_of
from hinter.exports.parts import PARTS
from hinter.yaml_files import read_yaml
from huggingface_hub import DatasetCard


def _card(sources: Mapping[str, Mapping[str, Any]], *, rows: int = 1) -> DatasetCard:
    sizes = {part.name: Size(rows, 2, 3) for part in PARTS}
    return DatasetCard(card_of(sizes, sources=sources, citation=read_yaml(CITATION)))


@pytest.mark.parametrize(
    ("sources", "licence"),
    [
        ({"a": source(licence="CC-BY-4.0")}, "apache-2.0"),
        ({"a": source(licence="CC-BY-4.0", redistribute=True)}, ["apache-2.0", "cc-by-4.0"]),
        ({"a": source(licence="Apache-2.0", redistribute=True)}, "apache-2.0"),
        ({"a": source(licence="ours, see there", redistribute=True)}, "other"),
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
    assert "| `a` | Notes about people | unknown | not here |" in told
    assert "| `b` | Notes about people | MIT | in `suite` |" in told
    assert "rebuilt" not in _card({"b": source(licence="MIT", redistribute=True)}).text


def test_a_bar_in_what_a_user_says_stays_in_its_cell() -> None:
    told = _card({"a": source() | {"about": "notes | and\nmore"}}).text
    assert "| `a` | notes \\| and more | unknown | not here |" in told
