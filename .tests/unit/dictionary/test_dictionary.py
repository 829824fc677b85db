"""The dictionary: counts of SBIC's groups, curation files, and the word pairs made of them."""

import csv
import logging
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import build_dictionary
import count_posts as script
import pytest
import yaml
from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import (
    Curation,
    as_rows,
    build_groups,
    build_pairs,
    check_curation,
    count_posts,
    read_pairs,
    read_posts,
    write_rows,
)

ROOT = Path(__file__).resolve().parents[3]
CURATIONS = sorted((ROOT / "config" / "dictionary").glob("*.yaml"))
POSTS = ROOT / "data" / "sbic" / "group_posts.csv"
SBIC = ROOT.parent / "shared" / "data" / "sbic"
SBIC_FILES = [SBIC / "SBIC.v2.agg.dev.csv", SBIC / "SBIC.v2.agg.tst.csv"]
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


def _sbic(path: Path, *posts: tuple[str, str]) -> Path:
    """A file in the form of SBIC's, of (categories, groups) as JSON."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["", "post", "targetMinority", "targetCategory"])
        for number, (categories, groups) in enumerate(posts):
            writer.writerow([number, 'a "post",\nof two lines', groups, categories])
    return path


# SBIC's counts.


def test_post_counts_once_for_each_category_and_group(tmp_path: Path) -> None:
    path = _sbic(tmp_path / "a.csv", ('["race", "culture"]', '["black folks", "jews"]'))
    assert count_posts([path]) == {
        ("race", "black folks"): 1,
        ("race", "jews"): 1,
        ("culture", "black folks"): 1,
        ("culture", "jews"): 1,
    }


def test_name_given_twice_by_a_post_counts_once(tmp_path: Path) -> None:
    path = _sbic(tmp_path / "a.csv", ('["race", "Race"]', '["jews", "jews", "Jews, jews"]'))
    assert count_posts([path]) == {("race", "jews"): 1}


def test_commas_part_the_names_of_an_element(tmp_path: Path) -> None:
    path = _sbic(tmp_path / "a.csv", ('["race"]', '["black folks, jews,asian folks ", ", "]'))
    assert count_posts([path]) == {
        ("race", name): 1 for name in ("black folks", "jews", "asian folks")
    }


def test_names_are_lower_case_without_outer_space(tmp_path: Path) -> None:
    path = _sbic(tmp_path / "a.csv", ('["Race"]', '["  Black Folks "]'), ('["race"]', '["JEWS"]'))
    assert count_posts([path]) == {("race", "black folks"): 1, ("race", "jews"): 1}


@pytest.mark.parametrize("post", [("[]", '["jews"]'), ('["race"]', "[]"), ('[""]', '["jews"]')])
def test_post_without_category_or_group_counts_nothing(
    post: tuple[str, str], tmp_path: Path
) -> None:
    assert count_posts([_sbic(tmp_path / "a.csv", post)]) == {}


def test_posts_add_up_over_files(tmp_path: Path) -> None:
    post = ('["race"]', '["jews"]')
    files = [_sbic(tmp_path / "a.csv", post, post), _sbic(tmp_path / "b.csv", post)]
    assert count_posts(files) == {("race", "jews"): 3}


def test_counts_are_written_sorted_and_read_back(tmp_path: Path) -> None:
    files = [
        _sbic(tmp_path / "a.csv", ('["race"]', '["jews", "asian folks"]')),
        _sbic(tmp_path / "b.csv", ('["body", "race"]', '["fat, folks"]')),
    ]
    written = tmp_path / "posts.csv"
    script.main(files=[str(path) for path in files], posts=str(written))
    assert written.read_text(encoding="utf-8").splitlines() == [
        "category,group,posts",
        "body,fat,1",
        "body,folks,1",
        "race,asian folks,1",
        "race,fat,1",
        "race,folks,1",
        "race,jews,1",
    ]
    assert read_posts(written) == count_posts(files)


@pytest.mark.skipif(
    not all(path.is_file() for path in SBIC_FILES), reason="SBIC's aggregated files are not here"
)
@pytest.mark.parametrize("files", [SBIC_FILES, SBIC_FILES[::-1]], ids=["in order", "reversed"])
def test_kept_counts_are_those_of_sbic_byte_for_byte(files: list[Path], tmp_path: Path) -> None:
    written = tmp_path / "posts.csv"
    script.main(files=[str(path) for path in files], posts=str(written))
    assert written.read_bytes() == POSTS.read_bytes()


# Word pairs.


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
    write_rows(as_rows(pairs), tmp_path / "pairs.csv")
    assert read_pairs(tmp_path / "pairs.csv") == pairs


# Groups.


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


# The whole dictionary of the study.


def _build(curations: Sequence[Path], folder: Path) -> tuple[Path, Path]:
    folder.mkdir()
    groups, pairs = folder / "groups.csv", folder / "pairs.csv"
    build_dictionary.main(
        curations=[str(path) for path in curations],
        posts=str(POSTS),
        groups=str(groups),
        pairs=str(pairs),
    )
    return groups, pairs


def test_order_of_curation_files_changes_no_byte(tmp_path: Path) -> None:
    assert len(CURATIONS) > 1
    first, second = _build(CURATIONS, tmp_path / "a"), _build(CURATIONS[::-1], tmp_path / "b")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_dictionary_of_the_study_is_consistent(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    groups_file, pairs_file = _build(CURATIONS, tmp_path / "built")
    pairs = read_pairs(pairs_file)
    with groups_file.open(encoding="utf-8", newline="") as file:
        groups = {(row["attribute"], row["group"], row["term"]) for row in csv.DictReader(file)}
    ids = [pair.pair_id for pair in pairs]
    assert ids == sorted({*ids})
    directed = {(pair.attribute, pair.source, pair.target) for pair in pairs}
    assert directed == {(attribute, target, source) for attribute, source, target in directed}
    assert {(pair.attribute, pair.source_group, pair.source) for pair in pairs} == groups
    assert all(pair.source_group != pair.target_group for pair in pairs)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
