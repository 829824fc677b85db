"""Strings of the command line mean what they would in a file, and text is taken as it was typed."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hinter.config import inherited_settings, read_config
from hinter.config.sheets import RENAMED_KEYS
from hinter.errors import InputError
from sheets import CONFIG

ROOT = Path(__file__).resolve().parents[3]
SNAKEFILE = f"""
import json, sys
sys.path.append("{ROOT}/workflow/scripts")
configfile: "{ROOT}/config/config.yaml"
include: "{ROOT}/workflow/rules/common.smk"
print("READ", json.dumps([config["text"], config["file"]]))
"""
TYPED = [
    ("She is the #1 nurse.", "2024"),
    ("Review: the old man said: no", "'a b'.txt"),
    ("- a blind man", "-"),
    ('[a "blind" man]', "true"),
    ("1984", "1e3"),
    ("nan", "NaN"),
    ("two\nlines, {a} and = é 🙂", "---"),
    ("x = {y}", None),
]
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


@pytest.mark.parametrize("old", RENAMED_KEYS)
@pytest.mark.parametrize("section", ["", "mutation"])
def test_a_renamed_key_is_refused_by_what_it_is_called_now(old: str, section: str) -> None:
    with pytest.raises(InputError, match=f"`{old}` is called `{RENAMED_KEYS[old]}` now"):
        read_config({**STUDY, **({section: {old: {}}} if section else {old: {}})})


def test_reading_a_configuration_leaves_it_as_it_was() -> None:
    given = {**STUDY, **{key: value for key, (value, _) in STRINGS.items()}}
    before = copy.deepcopy(given)
    assert read_config(given).model_dump() != given
    assert given == before


@pytest.mark.parametrize("value", ["7.0", "nan", "many", "[1", "1e30", "true", ""])
def test_strings_that_mean_nothing_allowed_are_refused(value: str) -> None:
    with pytest.raises(InputError, match="key 'seed': found "):
        read_config(CONFIG | {"seed": value})


@pytest.mark.parametrize(("text", "file"), TYPED)
def test_text_is_taken_as_it_was_typed(text: str, file: str | None) -> None:
    entries = {"text": text, "seed": "7", **({} if file is None else {"file": file})}
    yaml_made = {"text": {"She": "is"}, "seed": 7, "file": 2024}
    read = read_config(CONFIG | yaml_made | {"file": None}, typed=entries)
    assert (read.text, read.file, read.seed) == (text, file, 7)


@pytest.mark.parametrize(
    ("text", "file"),
    [
        TYPED[6],
        *(pytest.param(*typed, marks=pytest.mark.release) for typed in (*TYPED[:3], TYPED[5])),
    ],
)
def test_snakemake_passes_on_text_as_it_was_typed(text: str, file: str, tmp_path: Path) -> None:
    (tmp_path / "Snakefile").write_text(SNAKEFILE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", "--config", f"text={text}", f"file={file}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    (read,) = [line for line in done.stdout.splitlines() if line.startswith("READ ")]
    assert json.loads(read.removeprefix("READ ")) == [text, file]


@pytest.mark.parametrize(
    "text",
    ["#1 nurse", *(pytest.param(text, marks=pytest.mark.release) for text in (" '# x", " "))],
)
def test_a_text_that_snakemake_cannot_read_is_refused_in_a_line(text: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", "try", "--config", f"text={text}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    *_, said = done.stderr.splitlines()
    assert done.returncode == 1
    assert said.startswith(f"configuration, key 'text': found {text!r}, which Snakemake reads as")
    assert "Traceback" not in done.stderr


DEFAULT = {
    "seed": 1,
    "orders": [1, 2],
    "suite": {"originals": 60, "discarded": False},
    "grammar": {"enabled": True},
    "rules": [*"abcdefg"],
}


def test_settings_that_a_study_does_not_set_are_listed_by_key() -> None:
    own = {"orders": [1], "suite": {"originals": 9}, "grammar": None}
    assert inherited_settings(DEFAULT, own) == {
        "seed": "1",
        "suite.discarded": "false",
        "rules": "7 values",
    }


def test_lists_and_groups_are_written_as_in_a_sheet() -> None:
    assert inherited_settings(DEFAULT, {"seed": 2}) == {
        "orders": "[1, 2]",
        "suite.originals": "60",
        "suite.discarded": "false",
        "grammar.enabled": "true",
        "rules": "7 values",
    }


def test_the_default_study_inherits_nothing() -> None:
    assert inherited_settings(DEFAULT, {}) == {}
