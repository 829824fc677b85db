"""What YAML would let pass, and no study can use, is refused by file and line."""

import time
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hinter.errors import InputError
from hinter.yaml_files import read_yaml
from sheets import DATASET, refusal_of


@pytest.mark.parametrize("key", ["yes", "no", "on", "1", "0", "null", "~", "1.5", "2024-01-01"])
def test_a_key_that_is_no_text_is_refused_with_its_line(key: str, tmp_path: Path) -> None:
    content = yaml.safe_dump({"mine": DATASET}) + f"  label: l\n  label_names: {{{key}: good}}\n"
    message = refusal_of(tmp_path / "sheet.yaml", content, sheet="datasets")
    assert f"line 8: found the key '{key}', which YAML does not read as text; expected" in message
    assert f'Put it in quotes: "{key}".' in message


@pytest.mark.parametrize(
    "names", ['{"1": yes, "0": "no"}', '["yes", no]', '{"1": 1}', "[2024-01-01]"]
)
def test_a_label_that_is_no_text_is_to_be_quoted(names: str, tmp_path: Path) -> None:
    content = yaml.safe_dump({"mine": DATASET}) + f"  label: l\n  label_names: {names}\n"
    message = refusal_of(tmp_path / "sheet.yaml", content, sheet="datasets")
    assert "key 'mine.label_names." in message
    assert "Put text in quotes." in message


LEVELS = "abcdefghij"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in pairwise(LEVELS)
)
ENDLESS = {
    "aliases of aliases": (BOMB, "aliases (*) that stand for too many values"),
    "a list in itself": ("a: &a [*a]\n", "aliases (*) that stand for too many values"),
    "many brackets": ("a: " + "[" * 500_000, "values nested more than 50 deep"),
    "too large a file": ("# " + "x" * 3_000_000, "3,000,002 bytes"),
    "a number of thousands of digits": ("a: " + "1" * 5000, "the limit (4300 digits)"),
    "a day that is none": ("a: 2024-13-45", "month must be in 1..12"),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_yaml_without_end_is_refused_at_once(case: str, tmp_path: Path) -> None:
    content, found = ENDLESS[case]
    begin = time.perf_counter()
    message = refusal_of(tmp_path / "sheet.yaml", content, sheet="models")
    assert found in message
    assert time.perf_counter() - begin < 2


def test_aliases_and_merged_mappings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "sheet.yaml"
    path.write_text("a: &a {x: 1, y: [1]}\nb: *a\nc: {<<: *a, x: 2}\n", encoding="utf-8")
    both = {"x": 1, "y": [1]}
    assert read_yaml(path) == {"a": both, "b": both, "c": {"x": 2, "y": [1]}}


def test_a_folder_in_the_place_of_a_sheet_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"found a file that cannot be read \(Is a directory\)"):
        read_yaml(tmp_path)
