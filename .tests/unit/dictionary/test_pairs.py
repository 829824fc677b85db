"""Word pairs and groups, made of curation files."""

import logging
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import (
    Curation,
    as_rows,
    build_groups,
    build_pairs,
    check_curation,
    read_pairs,
    write_csv,
)

GROUPS = {
    "actor": {"sbic": ["men", "actors"]},
    "actress": {"sbic": ["women"]},
    "neutral": {"sbic": []},
}
Block = dict[str, Any]
Pairs = set[tuple[str, str]]


def _product(**terms: Sequence[str]) -> Block:
    """A block that joins every term of a group with those of the other groups."""
    lists = {group: list(names) for group, names in terms.items()}
    return {"form": "product", "word_class": "noun_plural", "terms": lists}


def _aligned(*rows: Mapping[str, str]) -> Block:
    """A block whose rows give terms that replace each other."""
    return {"form": "aligned", "word_class": "noun_singular", "terms": [dict(row) for row in rows]}


def _curation(folder: Path, *blocks: Block, attribute: str = "gender") -> Curation:
    folder.mkdir(exist_ok=True)
    path = folder / f"{attribute}.yaml"
    sheet = {
        "attribute": attribute,
        "categories": ["gender", "body"],
        "groups": GROUPS,
        "pairs": list(blocks),
    }
    path.write_text(yaml.safe_dump(sheet, sort_keys=False), encoding="utf-8")
    return check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)


def _pairs(*curations: Curation) -> Pairs:
    pairs = build_pairs(curations)
    assert [pair.pair_id for pair in pairs] == sorted({pair.pair_id for pair in pairs})
    return {(pair.source, pair.target) for pair in pairs}


def test_aligned_rows_pair_their_own_terms_in_both_directions(tmp_path: Path) -> None:
    block = _aligned(
        {"actor": "waiter", "actress": "waitress", "neutral": "server"},
        {"actor": "king", "actress": "queen"},
    )
    first = set(permutations(["waiter", "waitress", "server"], 2))
    assert _pairs(_curation(tmp_path, block)) == first | set(permutations(["king", "queen"], 2))


def test_product_pairs_all_terms_of_different_groups(tmp_path: Path) -> None:
    block = _product(actor=["men", "guys"], actress=["women", "gals"], neutral=["people"])
    expected = {
        (source, target)
        for source, target in permutations(["men", "guys", "women", "gals", "people"], 2)
        if {source, target} not in ({"men", "guys"}, {"women", "gals"})
    }
    assert _pairs(_curation(tmp_path, block)) == expected


def test_terms_of_different_blocks_are_not_paired(tmp_path: Path) -> None:
    blocks = [
        _aligned({"actor": "king", "actress": "queen"}),
        _product(actor=["men"], neutral=["p"]),
    ]
    expected = {*permutations(["king", "queen"], 2), *permutations(["men", "p"], 2)}
    assert _pairs(_curation(tmp_path, *blocks)) == expected


def test_pair_tells_attribute_groups_and_terms_as_declared(tmp_path: Path) -> None:
    block = _aligned({"actor": "Nigerian man", "actress": "woman"})
    first, second = as_rows(build_pairs([_curation(tmp_path, block)]))
    assert first == {
        "pair_id": "gender:Nigerian_man>woman",
        "attribute": "gender",
        "source_group": "actor",
        "target_group": "actress",
        "source": "Nigerian man",
        "target": "woman",
        "operator": "literal",
    }
    assert second["pair_id"] == "gender:woman>Nigerian_man"


@pytest.mark.parametrize("other", ["folks", "Folks"])
def test_identity_is_dropped_with_a_warning_that_names_it(
    other: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    curation = _curation(tmp_path, _product(actor=["folks", "men"], neutral=[other]))
    with caplog.at_level(logging.WARNING):
        assert _pairs(curation) == set(permutations(["men", other], 2))
    warning = f"{curation.path}: dropped the pair gender:folks>{other}, an identity"
    assert warning in caplog.messages
    assert len(caplog.records) == 2


@pytest.mark.parametrize("again", ["men", "Men"])
def test_duplicate_is_dropped_with_a_warning_that_names_it(
    again: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocks = [
        _product(actor=["men"], actress=["women"]),
        _aligned({"actor": again, "neutral": "p"}),
    ]
    blocks.append(_aligned({"actor": again, "actress": "women"}))
    curation = _curation(tmp_path, *blocks)
    with caplog.at_level(logging.WARNING):
        pairs = _pairs(curation)
    assert pairs == {*permutations(["men", "women"], 2), *permutations([again, "p"], 2)}
    assert caplog.messages == [
        f"{curation.path}: dropped the pair gender:{again}>women, a duplicate",
        f"{curation.path}: dropped the pair gender:women>{again}, a duplicate",
    ]


def test_same_terms_in_two_attributes_are_two_pairs(tmp_path: Path) -> None:
    block = _aligned({"actor": "man", "actress": "woman"})
    curations = [_curation(tmp_path, block, attribute=name) for name in ("gender", "body")]
    ids = [pair.pair_id for pair in build_pairs(curations)]
    assert ids == ["body:man>woman", "body:woman>man", "gender:man>woman", "gender:woman>man"]


def test_pairs_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    block = _aligned({"actor": "l'homme d’hier", "actress": "Frau Müller"})
    pairs = build_pairs([_curation(tmp_path, block)])
    write_csv(as_rows(pairs), tmp_path / "pairs.csv")
    assert read_pairs(tmp_path / "pairs.csv") == pairs


def test_groups_list_every_term_once_with_the_posts_of_its_group(tmp_path: Path) -> None:
    blocks = [
        _product(actress=["women"], actor=["men", "guys"]),
        _aligned({"actor": "guys", "neutral": "person"}),
        _product(actor=["men"], neutral=["people"]),
    ]
    posts = {
        ("gender", "men"): 5,
        ("body", "men"): 2,
        ("gender", "actors"): 1,
        ("race", "men"): 100,
        ("gender", "women"): 7,
    }
    rows = build_groups([_curation(tmp_path, *blocks)], posts=posts)
    assert [tuple(row.values()) for row in rows] == [
        ("gender", "actor", "guys", "noun_plural", 8),
        ("gender", "actor", "guys", "noun_singular", 8),
        ("gender", "actor", "men", "noun_plural", 8),
        ("gender", "actress", "women", "noun_plural", 7),
        ("gender", "neutral", "people", "noun_plural", 0),
        ("gender", "neutral", "person", "noun_singular", 0),
    ]
    assert list(rows[0]) == ["attribute", "group", "term", "word_class", "posts"]
