"""SBIC's names beside the terms that answer them."""

import csv
from pathlib import Path

import list_names as script
import pytest
from hinter.config import DictionarySheet, read_config, read_sheet
from hinter.dictionary import Curation, check_curation, list_names, read_posts
from hinter.errors import InputError
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[3]
POSTS = ROOT / "data" / "sbic" / "group_posts.csv"
CURATIONS = [ROOT / f"config/dictionary/{name}.yaml" for name in ("race", "gender", "body", "age")]


def _curation(attribute: str, *, categories: list[str], groups: dict[str, list[str]]) -> Curation:
    """A curation whose groups have the terms `{group} a` and `{group} b`."""
    terms = {group: [f"{group} b", f"{group} a"] for group in groups}
    sheet = {
        "attribute": attribute,
        "categories": categories,
        "groups": {group: {"sbic": names} for group, names in groups.items()},
        "pairs": [{"form": "product", "word_class": "noun_plural", "terms": terms}],
    }
    return check_curation(sheet, path=f"{attribute}.yaml")


def test_names_come_by_posts_with_the_terms_that_answer_them_the_unanswered_first() -> None:
    race = _curation("race", categories=["race"], groups={"black": ["black folks"], "white": []})
    age = _curation(
        "age",
        categories=["race", "body"],
        groups={"old": ["black folks", "elders"]} | {"young": []},
    )
    posts = {
        ("race", "black folks"): 9,
        ("body", "elders"): 2,
        ("body", "fat folks"): 3,
        ("culture", "black folks"): 4,
        ("race", "elders"): 2,
        ("race", "apes"): 3,
    }
    rows = list_names([race, age], posts=posts)
    assert [list(row.values()) for row in rows] == [
        ["culture", "black folks", 4, "", ""],
        ["body", "fat folks", 3, "", ""],
        ["race", "apes", 3, "", ""],
        ["race", "black folks", 9, "age:old; race:black", "black a; black b; old a; old b"],
        ["body", "elders", 2, "age:old", "old a; old b"],
        ["race", "elders", 2, "age:old", "old a; old b"],
    ]


def test_every_name_of_sbic_is_listed_once_and_answered_as_the_posts_are_counted(
    tmp_path: Path,
) -> None:
    written = tmp_path / "names.csv"
    script.main(curations=list(map(str, CURATIONS)), posts=str(POSTS), names=str(written))
    with written.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    listed = {(row["category"], row["name"]): int(row["posts"]) for row in rows}
    assert listed == read_posts(POSTS)
    assert len(listed) == len(rows)
    curations = [
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)
        for path in CURATIONS
    ]
    answered = {
        (category, name)
        for curation in curations
        for names in curation.sbic.values()
        for name in names
        for category in curation.categories
    } & listed.keys()
    assert {(row["category"], row["name"]) for row in rows if row["terms"]} == answered
    firsts = [bool(row["groups"]) for row in rows]
    assert firsts == sorted(firsts)
    unanswered = [int(row["posts"]) for row in rows if not row["groups"]]
    assert unanswered == sorted(unanswered, reverse=True)


def _study(sbic: str | None, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.chdir(ROOT)
    keys = {"seed": 1, "datasets": ["imdb"], "models": ["minilm"], "attributes": ["race"]}
    return Study(read_config({**keys, "orders": [1], "sbic": sbic}))


def test_sbic_comes_from_a_folder_or_from_the_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "SBIC.v2.agg.dev.csv"
    path.touch()
    given = _study(str(tmp_path), monkeypatch)
    assert given.sbic_sources() == [str(path)]
    assert "sbic_v2" not in given.needed_resources()
    fetched = _study("sbic_v2", monkeypatch)
    assert fetched.sbic_sources() == ["resources/sbic_v2"]
    assert "sbic_v2" in fetched.needed_resources()
    for study in (given, fetched):
        assert study.group_posts() == "results/dictionary/group_posts.csv"
    with pytest.raises(InputError, match="key 'sbic': found nothing to count"):
        _study(None, monkeypatch).sbic_sources()
