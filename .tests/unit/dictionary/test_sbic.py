"""Counts of SBIC's groups."""

import csv
from pathlib import Path

import count_posts as script
import pytest
from hinter.dictionary import count_posts, read_posts, split_files

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
