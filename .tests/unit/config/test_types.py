"""Numbers, names and paths of sheets: what no study can use is refused by file and key."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import Models, read_sheet
from sheets import CONFIG, DATASET, ENDPOINT, MODELS, SHEETS, refusal_of

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
    message = refusal_of(tmp_path / "sheet.yaml", _with(sheet, key, value), sheet=sheet)
    assert f"key '{key}': found {yaml.safe_load(value)}; expected a whole number" in message
    assert re.search(r"\(7, not 7\.0\) of at least \d and at most (\d+,?)+", message)


@pytest.mark.parametrize("value", [".inf", "-.inf", ".nan", "1.0e+30", "9" * 30])
@pytest.mark.parametrize(("sheet", "key"), NUMBERS)
def test_a_number_is_refused_unless_it_can_be_reckoned_with(
    sheet: str, key: str, value: str, tmp_path: Path
) -> None:
    message = refusal_of(tmp_path / "sheet.yaml", _with(sheet, key, value), sheet=sheet)
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


def test_an_answer_is_begun_in_a_chat_only(tmp_path: Path) -> None:
    sheet = {"about": "ours", "kind": "causal", "folder": "m", "answer_prefix": "Answer:"}
    path = tmp_path / "sheet.yaml"
    message = refusal_of(path, yaml.safe_dump({"mine": sheet}), sheet="models")
    assert "key 'mine.answer_prefix': found it without a chat; expected `chat: true`" in message
    path.write_text(yaml.safe_dump({"mine": sheet | {"chat": True}}), encoding="utf-8")
    assert read_sheet(path, Models).root["mine"].answer_prefix == "Answer:"


# Names and paths.

NO_NAMES = ["..", ".", "", "a\n", "\na", "a/b", "a b", "A", "-a", "é", "{a}", "a..b", "a.", ".a"]


@pytest.mark.parametrize("name", NO_NAMES)
@pytest.mark.parametrize(("sheet", "entry"), [("datasets", DATASET), ("models", ENDPOINT)])
def test_a_name_that_is_no_part_of_a_path_is_refused(
    sheet: str, entry: dict[str, Any], name: str, tmp_path: Path
) -> None:
    message = refusal_of(tmp_path / "sheet.yaml", yaml.safe_dump({name: entry}), sheet=sheet)
    assert f"found {name!r}, which is not a valid " in message
    assert "'s name of lower-case letters, digits, hyphens" in message


@pytest.mark.parametrize("name", ["race\n", "Race", "../race", ""])
def test_an_attribute_that_is_no_name_is_refused(name: str, tmp_path: Path) -> None:
    content = yaml.safe_dump(CONFIG | {"attributes": [name]})
    message = refusal_of(tmp_path / "sheet.yaml", content, sheet="config")
    assert (
        f"key 'attributes.0': found {name!r}, which is not a valid attribute; expected" in message
    )


def test_only_models_have_dots_in_their_names(tmp_path: Path) -> None:
    path = tmp_path / "sheet.yaml"
    path.write_text(yaml.safe_dump({"gpt-3.5": ENDPOINT}), encoding="utf-8")
    assert "gpt-3.5" in read_sheet(path, Models).root
    refusal_of(path, yaml.safe_dump({"imdb.2": DATASET}), sheet="datasets")


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
    message = refusal_of(tmp_path / "sheet.yaml", _with(sheet, key, written), sheet=sheet)
    sign = next((f" ({sign!r} is not allowed)" for sign in path if sign in "{}\n\0"), "")
    found = f"found {path!r}, which is not a valid path{sign}; expected"
    assert f"key '{key}': {found}" in message


def test_the_end_of_a_pattern_is_the_end_of_the_text(tmp_path: Path) -> None:
    content = _with("models", "theirs.key_variable", '"KEY\\n"')
    message = refusal_of(tmp_path / "sheet.yaml", content, sheet="models")
    assert "key 'theirs.key_variable'" in message
