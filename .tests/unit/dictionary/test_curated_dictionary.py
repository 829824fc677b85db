"""The curated dictionary keeps its promises, and docs/dictionary.md tells the truth about it."""

import csv
import itertools
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import build_dictionary
import pytest
import yaml
from hinter.dictionary import read_pairs

ROOT = Path(__file__).resolve().parents[3]
PUBLISHED = ROOT.parent / "shared" / "reference" / "hinter" / "word_pairs.csv"
PAGE = ROOT / "docs" / "dictionary.md"
RICHNESS = {"race": (116, 3996), "gender": (230, 1104), "body": (98, 786)}
COUNTED_AS = {"gender": ["occupation"]}
ATTRIBUTES = sorted(RICHNESS)
CURATIONS = sorted((ROOT / "config" / "dictionary").glob("*.yaml"))
CURATED = [path.stem for path in CURATIONS]
POSTS = ROOT / "data" / "sbic" / "group_posts.csv"
Pair = tuple[str, str]


def _rows(block: dict) -> Iterator[list[tuple[str, str]]]:
    """Rows of (group, term) inside which every term meets the terms of the other groups."""
    if block["form"] == "aligned":
        yield from ([*row.items()] for row in block["terms"])
    else:
        yield [(group, term) for group, terms in block["terms"].items() for term in terms]


@cache
def _pairs(attribute: str) -> list[Pair]:
    """All directed pairs of an attribute in lower case, duplicates and identities kept."""
    path = ROOT / "config" / "dictionary" / f"{attribute}.yaml"
    blocks = yaml.safe_load(path.read_text(encoding="utf-8"))["pairs"]
    further = [pair for part in COUNTED_AS.get(attribute, ()) for pair in _pairs(part)]
    return further + [
        (source.lower(), target.lower())
        for row in itertools.chain.from_iterable(map(_rows, blocks))
        for (source_group, source), (target_group, target) in itertools.permutations(row, 2)
        if source_group != target_group
    ]


def _terms(attribute: str) -> set[str]:
    return set(itertools.chain.from_iterable(_pairs(attribute)))


def _published_terms(attribute: str) -> set[str]:
    with PUBLISHED.open(encoding="utf-8", newline="") as handle:
        rows = [row for row in csv.DictReader(handle) if row["attribute"] == attribute]
    return {row[side].strip().lower() for row in rows for side in ("source", "target")}


def _table(attribute: str) -> dict[str, tuple[int, list[str]]]:
    """The rows `| attribute | part | count | terms |` of the page: part to count and terms."""
    cells = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith(f"| {attribute} |")
    ]
    return {row[1]: (int(row[2]), row[3].split(", ")) for row in cells if len(row) == 4}


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_is_at_least_as_rich_as_the_published_dictionary(attribute: str) -> None:
    terms, pairs = RICHNESS[attribute]
    assert len(_terms(attribute)) >= terms
    assert len(set(_pairs(attribute))) >= pairs


@pytest.mark.parametrize("attribute", CURATED)
def test_has_neither_duplicates_nor_identities(attribute: str) -> None:
    pairs = _pairs(attribute)
    assert [pair for pair, count in Counter(pairs).items() if count > 1] == []
    assert [pair for pair in pairs if pair[0] == pair[1]] == []


@pytest.mark.parametrize(("first", "second"), [*itertools.combinations(ATTRIBUTES, 2)])
def test_attributes_share_no_term(first: str, second: str) -> None:
    assert _terms(first) & _terms(second) == set()


@pytest.mark.parametrize("attribute", CURATED)
def test_page_states_the_counts(attribute: str) -> None:
    terms, pairs = len(_terms(attribute)), len(set(_pairs(attribute)))
    assert f"| {attribute} | {terms} | {pairs:,} |" in PAGE.read_text(encoding="utf-8")


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published word pairs are not here")
@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_page_compares_with_the_published_terms(attribute: str) -> None:
    ours, theirs = _terms(attribute), _published_terms(attribute)
    parts = {"both": ours & theirs, "only theirs": theirs - ours}
    expected = {part: (len(terms), sorted(terms)) for part, terms in parts.items()}
    rest = {"only ours": (len(ours - theirs), ["all other terms of the file"])}
    assert _table(attribute) == expected | rest


def test_controls_are_rows_of_two_sides_in_both_directions() -> None:
    path = ROOT / "config" / "dictionary" / "control.yaml"
    sheet = yaml.safe_load(path.read_text(encoding="utf-8"))
    rows = [row for block in sheet["pairs"] for row in _rows(block)]
    assert {block["form"] for block in sheet["pairs"]} == {"aligned"}
    assert len(rows) >= 120
    for row in rows:
        assert [side for side, _ in row] == ["side_a", "side_b"]
        assert len({len(term.split()) for _, term in row}) == 1
    assert sheet["categories"] == []
    assert all(group == {"sbic": []} for group in sheet["groups"].values())


def test_a_control_term_stands_on_one_side() -> None:
    pairs = _pairs("control")
    first = {source for source, target in pairs[::2]}
    assert first & {target for source, target in pairs[::2]} == set()
    assert [pair for pair, count in Counter(pairs).items() if count > 1] == []
    assert [pair for pair in pairs if pair[0] == pair[1]] == []


def test_controls_are_of_many_word_classes() -> None:
    path = ROOT / "config" / "dictionary" / "control.yaml"
    blocks = yaml.safe_load(path.read_text(encoding="utf-8"))["pairs"]
    classes = {block["word_class"]: len(block["terms"]) for block in blocks}
    most = ("adjective", "adverb", "noun_plural", "noun_singular", "verb")
    assert all(classes[name] >= 15 for name in most)


def _words(term: str) -> str:
    return f" {term.replace('-', ' ')} "


@pytest.mark.parametrize("attribute", sorted({path.stem for path in CURATIONS} - {"control"}))
def test_controls_share_no_words_with_an_attribute(attribute: str) -> None:
    shared = [
        (control, term)
        for control in map(_words, _terms("control"))
        for term in map(_words, _terms(attribute))
        if control in term or term in control
    ]
    assert shared == []


def _build(
    curations: Sequence[Path], folder: Path, *, merged: Sequence[str] = ()
) -> tuple[Path, Path]:
    folder.mkdir()
    groups, pairs = folder / "groups.csv", folder / "pairs.csv"
    build_dictionary.main(
        dictionary=[str(path) for path in curations],
        operators=["literal"],
        attributes=[],
        merged=merged,
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
    owners = {(pair.source.lower(), pair.attribute) for pair in pairs}
    assert len({term for term, _ in owners}) == len(owners)


def test_occupations_are_no_gender_unless_they_are_merged(tmp_path: Path) -> None:
    sheets = [path for path in CURATIONS if path.stem in ("gender", "occupation")]
    apart, together = (
        read_pairs(_build(sheets, tmp_path / name, merged=merged)[1])
        for name, merged in (("apart", []), ("together", ["occupation"]))
    )
    assert {pair.attribute for pair in apart} == {"gender", "occupation"}
    nurses = [pair for pair in apart if "nurse" in (pair.source, pair.target)]
    assert {pair.attribute for pair in nurses} == {"occupation"} and len(nurses) == 46
    assert {pair.attribute for pair in together} == {"gender"}
    assert len(together) == len(apart) == 1460
    [moved] = [pair for pair in together if pair.pair_id == "gender:nurse>doctor"]
    assert (moved.source_group, moved.target_group) == ("female", "male")


def test_further_attributes_are_off_by_default() -> None:
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    assert {"religion", "sexual_orientation"}.isdisjoint(config["attributes"])
