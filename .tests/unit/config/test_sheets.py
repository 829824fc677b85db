"""What YAML and its types would let pass, and no study can use, is refused by file and key."""

import copy
import re
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import (
    Config,
    Datasets,
    Models,
    Prices,
    PromptSheet,
    read_config,
    read_sheet,
)
from hinter.errors import InputError
from hinter.yaml_files import read_yaml

MODELS = {
    "config": Config,
    "datasets": Datasets,
    "models": Models,
    "prices": Prices,
    "prompt": PromptSheet,
}
CONFIG = {"seed": 1, "datasets": ["a"], "models": ["b"], "attributes": ["race"], "orders": [1]}
DATASET = {"about": "texts", "file": "a.csv", "text": "text", "splits": {"tested": 5}}
TUNED = {"epochs": 1, "learning_rate": 1e-4}
ENCODER = {"about": "ours", "kind": "encoder", "folder": "m", "fine_tuning": TUNED}
ENDPOINT = {
    "about": "ours",
    "kind": "endpoint",
    "base_url": "http://localhost:1",
    "model": "m",
    "tokenizer": "t",
}
PROMPT = {"version": 1, "instruction": "", "question": "{text}", "examples": {}}
SHEETS: dict[str, dict[str, Any]] = {
    "config": CONFIG,
    "datasets": {"mine": DATASET},
    "models": {"mine": ENCODER, "theirs": ENDPOINT},
    "prices": {"m": {"input": 1, "output": 2, "of": "somebody"}},
    "prompt": PROMPT,
}
WHOLE_NUMBERS = [
    ("config", "seed"),
    ("config", "shards"),
    ("config", "repeats"),
    ("config", "orders.0"),
    ("config", "sample.mutants"),
    ("config", "suite.originals"),
    ("config", "grammar.shards"),
    ("config", "invariant.max_sentence_chars"),
    ("config", "hidden_cases"),
    ("datasets", "mine.max_chars"),
    ("datasets", "mine.splits.tested"),
    ("models", "mine.max_tokens"),
    ("models", "mine.shards"),
    ("models", "mine.fine_tuning.epochs"),
    ("models", "theirs.concurrency"),
    ("prompt", "version"),
    ("prompt", "max_answer_tokens"),
]
NUMBERS = [
    ("config", "budget_usd"),
    ("config", "grammar.margin"),
    ("models", "mine.fine_tuning.learning_rate"),
    ("models", "theirs.temperature"),
    ("models", "theirs.timeout_seconds"),
    ("prices", "m.input"),
    ("prices", "m.output"),
]


def _with(sheet: str, key: str, value: str) -> str:
    """The sheet as YAML, with what is written as `value` at the dotted `key`."""
    document = yaml.safe_load(yaml.safe_dump(SHEETS[sheet]))
    *path, last = key.split(".")
    place = document
    for step in path:
        place = place.setdefault(step, {})
    place[int(last) if isinstance(place, list) else last] = "HERE"
    return yaml.safe_dump(document).replace("HERE", value)


def _refusal(path: Path, content: str, *, sheet: str) -> str:
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_sheet(path, MODELS[sheet])
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_sheets_that_these_tests_spoil_are_sound(sheet: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.yaml"
    path.write_text(yaml.safe_dump(SHEETS[sheet]), encoding="utf-8")
    assert read_sheet(path, MODELS[sheet])


@pytest.mark.parametrize(
    "value", ["1.0", "2.0", "7.5", ".inf", "-.inf", ".nan", "1.0e+30", "9" * 30]
)
@pytest.mark.parametrize(("sheet", "key"), WHOLE_NUMBERS)
def test_a_whole_number_is_refused_unless_it_is_one(
    sheet: str, key: str, value: str, tmp_path: Path
) -> None:
    message = _refusal(tmp_path / "sheet.yaml", _with(sheet, key, value), sheet=sheet)
    assert f"key '{key}': found {yaml.safe_load(value)}; expected a whole number" in message
    assert re.search(r"\(7, not 7\.0\) of at least \d and at most (\d+,?)+", message)


@pytest.mark.parametrize("value", [".inf", "-.inf", ".nan", "1.0e+30", "9" * 30])
@pytest.mark.parametrize(("sheet", "key"), NUMBERS)
def test_a_number_is_refused_unless_it_can_be_reckoned_with(
    sheet: str, key: str, value: str, tmp_path: Path
) -> None:
    message = _refusal(tmp_path / "sheet.yaml", _with(sheet, key, value), sheet=sheet)
    assert f"key '{key}': found {yaml.safe_load(value)}; expected a number " in message
    assert re.search(r"a number (above|of at least) 0 and at most (2,147,483,647|600)", message)


@pytest.mark.parametrize("value", ["0.5", "2", "1e1", "1.5e-1"])
@pytest.mark.parametrize(("sheet", "key"), NUMBERS)
def test_numbers_are_read_as_they_are_written(
    sheet: str, key: str, value: str, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.yaml"
    path.write_text(_with(sheet, key, value), encoding="utf-8")
    found: Any = read_sheet(path, MODELS[sheet]).model_dump()
    for step in key.split("."):
        found = found[step]
    assert found == float(value)


# Names and paths.

NO_NAMES = ["..", ".", "", "a\n", "\na", "a/b", "a b", "A", "-a", "é", "{a}", "a..b", "a.", ".a"]


@pytest.mark.parametrize("name", NO_NAMES)
@pytest.mark.parametrize(("sheet", "entry"), [("datasets", DATASET), ("models", ENDPOINT)])
def test_a_name_that_is_no_part_of_a_path_is_refused(
    sheet: str, entry: dict[str, Any], name: str, tmp_path: Path
) -> None:
    message = _refusal(tmp_path / "sheet.yaml", yaml.safe_dump({name: entry}), sheet=sheet)
    assert f"found {name!r}, which is no " in message
    assert "'s name of lower-case letters, digits, hyphens" in message


@pytest.mark.parametrize("name", ["race\n", "Race", "../race", ""])
def test_an_attribute_that_is_no_name_is_refused(name: str, tmp_path: Path) -> None:
    content = yaml.safe_dump(CONFIG | {"attributes": [name]})
    message = _refusal(tmp_path / "sheet.yaml", content, sheet="config")
    assert f"key 'attributes.0': found {name!r}, which is no attribute; expected" in message


def test_only_models_have_dots_in_their_names(tmp_path: Path) -> None:
    path = tmp_path / "sheet.yaml"
    path.write_text(yaml.safe_dump({"gpt-3.5": ENDPOINT}), encoding="utf-8")
    assert "gpt-3.5" in read_sheet(path, Models).root
    _refusal(path, yaml.safe_dump({"imdb.2": DATASET}), sheet="datasets")


@pytest.mark.parametrize("path", ["{x}/a.csv", "a{x}.csv", "a.csv\n", "a\0.csv", ""])
@pytest.mark.parametrize(
    ("sheet", "key"),
    [
        ("config", "store"),
        ("config", "sbic"),
        ("config", "models_sheet"),
        ("config", "invariant.parser.folder"),
        ("datasets", "mine.file"),
        ("datasets", "mine.prompt"),
        ("models", "mine.folder"),
        ("models", "theirs.tokenizer"),
    ],
)
def test_a_path_that_snakemake_would_read_as_a_pattern_is_refused(
    sheet: str, key: str, path: str, tmp_path: Path
) -> None:
    written = yaml.safe_dump(path, default_style='"').strip()
    message = _refusal(tmp_path / "sheet.yaml", _with(sheet, key, written), sheet=sheet)
    assert f"key '{key}': found {path!r}, which is no path; expected" in message


def test_the_end_of_a_pattern_is_the_end_of_the_text(tmp_path: Path) -> None:
    content = _with("models", "theirs.key_variable", '"KEY\\n"')
    message = _refusal(tmp_path / "sheet.yaml", content, sheet="models")
    assert "key 'theirs.key_variable'" in message


# YAML.


@pytest.mark.parametrize("key", ["yes", "no", "on", "1", "0", "null", "~", "1.5", "2024-01-01"])
def test_a_key_that_is_no_text_is_refused_with_its_line(key: str, tmp_path: Path) -> None:
    content = yaml.safe_dump({"mine": DATASET}) + f"  label: l\n  label_names: {{{key}: good}}\n"
    message = _refusal(tmp_path / "sheet.yaml", content, sheet="datasets")
    assert f"line 8: found the key '{key}', which YAML does not read as text; expected" in message
    assert f'Put it in quotes: "{key}".' in message


@pytest.mark.parametrize(
    "names", ['{"1": yes, "0": "no"}', '["yes", no]', '{"1": 1}', "[2024-01-01]"]
)
def test_a_label_that_is_no_text_is_to_be_quoted(names: str, tmp_path: Path) -> None:
    content = yaml.safe_dump({"mine": DATASET}) + f"  label: l\n  label_names: {names}\n"
    message = _refusal(tmp_path / "sheet.yaml", content, sheet="datasets")
    assert "key 'mine.label_names." in message
    assert "Put text in quotes." in message


LEVELS = "abcdefghij"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in pairwise(LEVELS)
)
ENDLESS = {
    "aliases of aliases": (BOMB, "aliases (*) that stand for too much"),
    "a list in itself": ("a: &a [*a]\n", "aliases (*) that stand for too much"),
    "many brackets": ("a: " + "[" * 500_000, "values nested more than 50 deep"),
    "too large a file": ("# " + "x" * 3_000_000, "3,000,002 bytes"),
    "a number of thousands of digits": ("a: " + "1" * 5000, "the limit (4300 digits)"),
    "a day that is none": ("a: 2024-13-45", "month must be in 1..12"),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_yaml_without_end_is_refused_at_once(case: str, tmp_path: Path) -> None:
    content, found = ENDLESS[case]
    begin = time.perf_counter()
    message = _refusal(tmp_path / "sheet.yaml", content, sheet="models")
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


# Strings of the command line.

STUDY = {**CONFIG, "attributes": ["body", "gender", "race"]}
STRINGS: dict[str, tuple[Any, Any]] = {
    "seed": ("7", 7),
    "budget_usd": ("null", None),
    "sbic": ("null", None),
    "store": ("null", "null"),
    "orders": (["1", "2"], [1, 2]),
    "suite": ({"originals": "5", "discarded": "true"}, {"originals": 5, "discarded": True}),
    "sample": ({"orders": ["3"], "mutants": "12"}, {"orders": [3], "mutants": 12}),
    "grammar": ({"enabled": "false", "margin": "1e-1"}, {"enabled": False, "margin": 0.1}),
    "invariant": (
        {"parser": {"folder": "1", "batch_size": "2"}, "max_sentence_chars": "null"},
        {"parser": {"folder": "1", "batch_size": 2}, "max_sentence_chars": None},
    ),
    "datasets": (["1", "yes"], ["1", "yes"]),
    "outcome_statuses": (["none"], ["none"]),
}


@pytest.mark.parametrize("key", STRINGS)
def test_strings_are_parsed_where_the_schema_allows_only_what_they_mean(key: str) -> None:
    given, meant = STRINGS[key]
    assert read_config({**STUDY, key: given}) == read_config({**STUDY, key: meant})


def test_reading_a_configuration_leaves_it_as_it_was() -> None:
    given = {**STUDY, **{key: value for key, (value, _) in STRINGS.items()}}
    before = copy.deepcopy(given)
    assert read_config(given).model_dump() != given
    assert given == before


@pytest.mark.parametrize("value", ["7.0", "nan", "many", "[1", "1e30", "true", ""])
def test_strings_that_mean_nothing_allowed_are_refused(value: str) -> None:
    with pytest.raises(InputError, match="key 'seed': found "):
        read_config(CONFIG | {"seed": value})
