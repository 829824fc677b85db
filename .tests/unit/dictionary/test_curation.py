"""Curation files, checked against each other."""

from pathlib import Path

import build_dictionary
import pytest
import yaml
from hinter.config import DictionarySheet, read_sheet
from hinter.dictionary import Curation, check_curation, settle_controls
from hinter.errors import InputError

ROOT = Path(__file__).resolve().parents[3]
POSTS = ROOT / "data" / "sbic" / "group_posts.csv"


def _curation(folder: Path, *row: str, attribute: str) -> Curation:
    """A curation of one row, a term per group, in the file of its attribute."""
    path = folder / f"{attribute}.yaml"
    groups = [f"group_{number}" for number in range(len(row))]
    terms = [dict(zip(groups, row, strict=True))]
    sheet = {
        "attribute": attribute,
        "categories": [],
        "groups": {group: {"sbic": []} for group in groups},
        "pairs": [{"form": "aligned", "word_class": "noun_plural", "terms": terms}],
    }
    path.write_text(yaml.safe_dump(sheet, sort_keys=False), encoding="utf-8")
    return check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)


def _refusal(folder: Path, *, control: str, sensitive: str) -> str:
    curations = [
        _curation(folder, "films", control, attribute="control"),
        _curation(folder, sensitive, "monks", attribute="gender"),
    ]
    with pytest.raises(InputError) as refused:
        settle_controls(curations)
    return str(refused.value)


@pytest.mark.parametrize(
    ("control", "sensitive"),
    [
        ("movies", "movies"),
        ("Movies", "MOVIES"),
        ("movies", "leading movies"),
        ("movies", "movie-goers and movies"),
        ("movies with people", "people"),
        ("self-employed staff", "employed staff"),
    ],
)
def test_control_that_shares_its_words_with_a_sensitive_term_is_refused(
    control: str, sensitive: str, tmp_path: Path
) -> None:
    message = _refusal(tmp_path, control=control, sensitive=sensitive)
    assert message.startswith(f"{tmp_path / 'control.yaml'}, term '{control}': found words of the ")
    assert f"sensitive term '{sensitive}' of {tmp_path / 'gender.yaml'}; expected" in message


@pytest.mark.parametrize("sensitive", ["moviegoers", "movie people", "mov", "ies"])
def test_control_that_shares_only_letters_is_accepted(sensitive: str, tmp_path: Path) -> None:
    settle_controls(
        [
            _curation(tmp_path, sensitive, "monks", attribute="gender"),
            _curation(tmp_path, "films", "movies", attribute="control"),
        ]
    )


def test_sensitive_attributes_may_share_words(tmp_path: Path) -> None:
    settle_controls(
        [
            _curation(tmp_path, "people", "old people", attribute="age"),
            _curation(tmp_path, "people", "tall people", attribute="body"),
        ]
    )


def test_dictionary_is_not_built_with_a_control_of_sensitive_words(tmp_path: Path) -> None:
    curations = [
        _curation(tmp_path, "people", "tall people", attribute="body").path,
        _curation(tmp_path, "tall", "high", attribute="control").path,
    ]
    with pytest.raises(InputError, match="term 'tall': found words of the sensitive term"):
        build_dictionary.main(
            dictionary=[str(path) for path in curations],
            operators=["literal"],
            attributes=["body"],
            posts=str(POSTS),
            groups=str(tmp_path / "groups.csv"),
            pairs=str(tmp_path / "pairs.csv"),
        )
    assert not (tmp_path / "pairs.csv").exists()
