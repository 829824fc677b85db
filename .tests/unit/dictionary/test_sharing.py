"""Groups that one attribute takes over from another, and terms that no two attributes may have."""

from pathlib import Path
from typing import Any

import pytest
from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import Curation, build_pairs, check_curation, settle_groups
from hinter.errors import InputError

ROOT = Path(__file__).resolve().parents[3]


def _product(**terms: list[str]) -> dict[str, Any]:
    return {"form": "product", "word_class": "noun_plural", "terms": terms}


def _aligned(**row: str) -> dict[str, Any]:
    return {"form": "aligned", "word_class": "noun_plural", "terms": [row]}


def _curation(attribute: str, *blocks: dict[str, Any], **takes_over: list[str]) -> Curation:
    groups = {group: {"sbic": []} for group in ("one", "two", "three")}
    sheet = {
        "attribute": attribute,
        "categories": [],
        "takes_over": takes_over,
        "groups": groups,
        "pairs": list(blocks),
    }
    checked = DictionarySheet.model_validate(sheet).model_dump()
    return check_curation(checked, path=f"{attribute}.yaml")


def _curated(name: str) -> Curation:
    path = ROOT / "config" / "dictionary" / f"{name}.yaml"
    return check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)


FIRST = (
    _product(one=["monks"], two=["nuns"], three=["friars", "deacons"]),
    _aligned(one="abbots", three="priors"),
    _aligned(one="actors", two="singers", three="priests"),
)


def test_a_group_taken_over_leaves_its_attribute() -> None:
    first = _curation("first", *FIRST)
    second = _curation("second", _aligned(one="friars", two="bishops"), first=["three"])
    settled = settle_groups([first, second])
    assert [curation.attribute for curation in settled] == ["first", "second"]
    assert settled[0].sbic.keys() == {"one", "two"}
    assert {pair.pair_id for pair in build_pairs(settled)} == {
        "first:actors>singers",
        "first:monks>nuns",
        "first:nuns>monks",
        "first:singers>actors",
        "second:bishops>friars",
        "second:friars>bishops",
    }


def test_a_study_without_the_taker_keeps_the_group() -> None:
    first = _curation("first", *FIRST)
    assert settle_groups([first, _curation("third", _aligned(one="cats", two="dogs"))])[0] == first


@pytest.mark.parametrize("takes_over", [{"first": ["four"]}, {"second": ["one"]}])
def test_a_group_that_no_other_attribute_has_is_refused(takes_over: dict[str, list[str]]) -> None:
    second = _curation("second", _aligned(one="cats", two="dogs"), **takes_over)
    with pytest.raises(
        InputError, match=r"second\.yaml, key 'takes_over': found the group '(four|one)'"
    ):
        settle_groups([_curation("first", *FIRST), second])


def test_a_term_of_two_attributes_is_refused() -> None:
    second = _curation("second", _aligned(one="Monks", two="dogs"))
    with pytest.raises(InputError, match=r"second\.yaml, term 'Monks': found a term that first"):
        settle_groups([_curation("first", *FIRST), second])


@pytest.mark.parametrize(
    ("taker", "taken", "group"),
    [("religion", "race", "jewish"), ("sexual_orientation", "gender", "gay_lesbian")],
)
def test_the_curated_attributes_share_no_group(taker: str, taken: str, group: str) -> None:
    alone = _curated(taken)
    settled = {one.attribute: one for one in settle_groups([alone, _curated(taker)])}
    assert group in alone.sbic
    assert group not in settled[taken].sbic
    assert group in settled[taker].sbic
