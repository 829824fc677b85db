"""Sheets of a user's own groups, added to those of the project."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import build_dictionary
import pytest
import yaml
from hinter.config import read_config
from hinter.dictionary import WordPair, read_pairs
from hinter.errors import InputError
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[3]
HOUSING = {"owner": ["car owner", "home owner"], "tenant": ["tenant"]}
Build = Callable[..., list[WordPair]]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Return a function that makes the word pairs of a study with a sheet of own groups."""
    monkeypatch.chdir(ROOT)

    def built(attributes: Sequence[str], *, operator: str, **sheet: Any) -> list[WordPair]:
        own = tmp_path / "mine.yaml"
        own.write_text(yaml.safe_dump(sheet, sort_keys=False), "utf-8")
        default = yaml.safe_load((ROOT / "config" / "config.yaml").read_text("utf-8"))
        changes = {"attributes": attributes, "own_groups": [str(own)], "orders": [1]}
        changes |= {"mutation": {"operators": [operator]}}
        changes |= {"primary": {"order": 1, "measure": "bias"}}
        study = Study(read_config(default | changes))
        build_dictionary.main(
            **study.curations(),
            posts=str(ROOT / "data" / "sbic" / "group_posts.csv"),
            attributes=attributes,
            operators=[operator],
            persons=study.persons(),
            own_groups=study.config.own_groups,
            groups=str(tmp_path / "groups.csv"),
            pairs=str(tmp_path / "pairs.csv"),
        )
        described = study.mutation()[0].get("persons") or {"descriptors": []}
        assert operator != "describe" or sheet["attribute"] in {
            one["attribute"] for one in described["descriptors"]
        }
        return read_pairs(tmp_path / "pairs.csv")

    return built


def _targets(pairs: Sequence[WordPair], *, of: str) -> set[tuple[str, str]]:
    return {(pair.target_group, pair.target) for pair in pairs if pair.attribute == of}


def test_two_keys_make_a_new_attribute_beside_those_of_the_project(build: Build) -> None:
    groups = {"owner": ["home-owning"], "tenant": ["renting"]}
    pairs = build(["age", "housing"], operator="describe", attribute="housing", groups=groups)
    assert _targets(pairs, of="housing") == {("owner", "home-owning"), ("tenant", "renting")}
    assert {pair.attribute for pair in pairs} == {"age", "housing", "control"}
    [pair] = [pair for pair in pairs if pair.pair_id == "housing:doctor>renting"]
    assert (pair.source_group, pair.target_group) == ("undescribed", "tenant")


def test_groups_are_added_to_those_of_an_attribute_of_the_project(build: Build) -> None:
    alone = {"uyghur": ["Uyghur"], "korean": ["North-Korean"]}
    pairs = build(["race"], operator="describe", attribute="race", groups=alone)
    targets = _targets(pairs, of="race")
    assert {("uyghur", "Uyghur"), ("korean", "North-Korean"), ("korean", "Korean")} <= targets
    assert len({group for group, _ in targets}) > 10


@pytest.mark.parametrize("attribute", ["housing", "body"])
def test_terms_are_replaced_by_those_of_other_groups(build: Build, attribute: str) -> None:
    pairs = build(
        [attribute],
        operator="literal",
        attribute=attribute,
        groups=HOUSING,
        word_class="noun_singular",
    )
    found = {pair.pair_id for pair in pairs}
    assert {f"{attribute}:car_owner>tenant", f"{attribute}:tenant>home_owner"} <= found
    assert f"{attribute}:car_owner>home_owner" not in found
    assert ("body:able-bodied>deaf" in found) == (attribute == "body")


def test_a_neutral_term_with_an_own_word_is_left_out_and_named(
    build: Build, caplog: pytest.LogCaptureFixture
) -> None:
    pairs = build(["housing"], operator="literal", attribute="housing", groups=HOUSING)
    neutral = {pair.source for pair in pairs if pair.attribute == "control"}
    assert "film" in neutral
    assert neutral.isdisjoint({"automobile", "car"})
    assert "terms of yours have their words: car" in caplog.text


def test_a_neutral_descriptor_with_an_own_word_is_left_out_and_named(
    build: Build, caplog: pytest.LogCaptureFixture
) -> None:
    groups = {"near": ["local"], "far": ["foreign-born"]}
    pairs = build(["origin"], operator="describe", attribute="origin", groups=groups)
    assert ("near", "local") in _targets(pairs, of="origin")
    assert "local" not in {target for _, target in _targets(pairs, of="control")}
    assert "left out, as groups of yours have them: local" in caplog.text


def test_made_up_descriptors_are_further_controls(build: Build) -> None:
    sheet = yaml.safe_load((ROOT / "config" / "nonce.yaml").read_text("utf-8"))
    pairs = build(["age"], operator="describe", **sheet)
    groups = _targets(pairs, of="control")
    assert {("nonce_bolvic", "bolvic"), ("local", "local")} <= groups
    assert len(groups) == 31 + len(sheet["groups"])


def test_own_neutral_terms_are_further_controls(build: Build) -> None:
    groups = {"sofa": ["sofa"], "couch": ["couch"]}
    pairs = build(
        ["age"], operator="literal", attribute="control", groups=groups, word_class="noun_singular"
    )
    assert {"couch", "movie"} <= {target for _, target in _targets(pairs, of="control")}


@pytest.mark.parametrize("operator", ["describe", "literal"])
def test_a_new_attribute_has_two_groups(build: Build, operator: str) -> None:
    groups = {"owner": ["home-owning"]}
    with pytest.raises(InputError, match="the only group 'owner'; expected two groups or more"):
        build(["housing"], operator=operator, attribute="housing", groups=groups)


def test_groups_have_their_rows_in_the_table_of_groups(build: Build, tmp_path: Path) -> None:
    build(["housing"], operator="literal", attribute="housing", groups=HOUSING)
    with (tmp_path / "groups.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["group"], row["term"]) for row in csv.DictReader(file)}
    assert {("owner", "car owner"), ("tenant", "tenant")} <= rows
