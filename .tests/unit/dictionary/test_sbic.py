"""Counts of SBIC's groups."""

import csv
from pathlib import Path

import count_posts as script
import list_names as names_script
import pytest
from hinter.config import DictionarySheet, read_config, read_sheet
from hinter.dictionary import (
    Curation,
    check_curation,
    count_posts,
    list_names,
    read_posts,
    split_files,
)
from hinter.errors import InputError
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[3]
POSTS = ROOT / "data" / "sbic" / "group_posts.csv"
SBIC = ROOT.parent / "shared" / "data" / "sbic"
SBIC_FILES = [SBIC / "SBIC.v2.agg.dev.csv", SBIC / "SBIC.v2.agg.tst.csv"]


def _sbic(path: Path, *posts: tuple[str, str]) -> Path:
    """A file in the form of SBIC's, of (categories, groups) as JSON."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["", "post", "targetMinority", "targetCategory"])
        for number, (categories, groups) in enumerate(posts):
            writer.writerow([number, 'a "post",\nof two lines', groups, categories])
    return path


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
    counted = ('["race"]', '["asian folks"]')
    assert count_posts([_sbic(tmp_path / "a.csv", post, counted)]) == {("race", "asian folks"): 1}


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
    script.main(sources=[str(path) for path in files], posts=str(written))
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


def test_the_splits_of_a_folder_are_those_that_it_has(tmp_path: Path) -> None:
    post = ('["race"]', '["jews"]')
    for split in ("trn", "tst", "other"):
        _sbic(tmp_path / f"SBIC.v2.agg.{split}.csv", post)
    _sbic(tmp_path / "SBIC.v2.trn.csv", post)
    found = [path.name for path in split_files(tmp_path)]
    assert found == ["SBIC.v2.agg.trn.csv", "SBIC.v2.agg.tst.csv"]
    written = tmp_path / "posts.csv"
    script.main(sources=[str(tmp_path)], posts=str(written))
    assert read_posts(written) == {("race", "jews"): 2}


@pytest.mark.skipif(
    not all(path.is_file() for path in SBIC_FILES), reason="SBIC's aggregated files are not here"
)
@pytest.mark.parametrize("files", [SBIC_FILES, SBIC_FILES[::-1]], ids=["in order", "reversed"])
def test_kept_counts_are_those_of_sbic_byte_for_byte(files: list[Path], tmp_path: Path) -> None:
    written = tmp_path / "posts.csv"
    script.main(sources=[str(path) for path in files], posts=str(written))
    assert written.read_bytes() == POSTS.read_bytes()


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
    names_script.main(curations=list(map(str, CURATIONS)), posts=str(POSTS), names=str(written))
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
    with pytest.raises(InputError, match="key 'sbic': found no files to count"):
        _study(None, monkeypatch).sbic_sources()
