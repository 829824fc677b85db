"""Folders that hold no model, and functions and labels that are none of a dataset's."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hinter.model_files import check_model, check_tokenizer, check_vocabulary
from hinter.models import SuppliedLabels
from hinter.models.function import FunctionModel
from hinter.models.loading import load_config, load_tokenizer
from hinter.study.runnable import check_encoder_labels

from .case import Case, Line, write

LABELS = ["bad", "good"]
ONE = "one label or a finite score for each, of bad, good"
SEVERAL = "a list of labels or a finite score for each, of bad, good"
FUNCTION = "rules.py, function 'label'"
SAVED = "as `save_pretrained` writes"
WRONG = "Correct"
NAMES: dict[str, tuple[Callable[..., None], set[str], Line]] = {
    "no file at all": (
        check_model,
        set(),
        Line("m", "no model", "config.json and weights", "Put the missing files there"),
    ),
    "a GGUF file alone": (
        check_model,
        {"a.gguf"},
        Line("m", "no model, only a.gguf", "config.json and weights", "in the key 'gguf'"),
    ),
    "a model without a vocabulary": (
        check_model,
        {"config.json", "model.safetensors"},
        Line("m", "no vocabulary", "one of tokenizer.json", "Add the files"),
    ),
    "a tokenizer without a vocabulary": (
        check_vocabulary,
        {"tokenizer_config.json"},
        Line("m", "no vocabulary", "one of tokenizer.json", "Add the files"),
    ),
    "no tokenizer": (
        check_tokenizer,
        {"a.gguf"},
        Line("m", "no tokenizer among its files (a.gguf)", "tokenizer_config.json", "Name a"),
    ),
}
SETTINGS: dict[str, tuple[str, Line]] = {
    "settings that are no JSON": (
        "{",
        Line("config.json", "Expecting property name", SAVED, "Write the file again"),
    ),
    "settings that are a list": (
        "[]",
        Line("config.json", "'list' object", SAVED, "Write the file again"),
    ),
    "labels that are a list": (
        '{"id2label": ["bad", "good"]}',
        Line("config.json", "'list' object", SAVED, "Write the file again"),
    ),
    "labels that are numbers": (
        '{"id2label": {"0": 0}}',
        Line("config.json", "not text", SAVED, "Write the file again"),
    ),
    "settings nested too deeply": (
        "[" * 100_000,
        Line("config.json", "recursion", SAVED, "Write the file again"),
    ),
    "other labels": (
        '{"id2label": {"0": "bad", "1": "fair"}}',
        Line("key 'id2label'", "2 labels: bad, fair", "the dataset 'mine': bad, good", "Give"),
    ),
}
ANSWERS: dict[str, tuple[str, Line]] = {
    "a function that is not there": (
        "other = len",
        Line(FUNCTION, "no such function", "a function of the module", "Correct `function`"),
    ),
    "a name that is no function": (
        "label = 'good'",
        Line(FUNCTION, "no such function", "a function of the module", "Correct `function`"),
    ),
    "a function that returns nothing": (
        "def label(texts): pass",
        Line(FUNCTION, "NoneType as return value", "an answer to each of 2 texts", WRONG),
    ),
    "a function that returns a text": (
        "def label(texts): return 'good'",
        Line(FUNCTION, "str as return value", "an answer to each of 2 texts", WRONG),
    ),
    "too few answers": (
        "def label(texts): return ['good']",
        Line(FUNCTION, "1 answers", "an answer to each of 2 texts", WRONG),
    ),
    "an unknown label": (
        "def label(texts): return ['fine', 'good']",
        Line(FUNCTION, "'fine' as a label", ONE, WRONG),
    ),
    "a score of one label": (
        "def label(texts): return [{'good': 1.0}] * 2",
        Line(FUNCTION, "{'good': 1.0} as scores", ONE, WRONG),
    ),
    "a score that is no number": (
        "def label(texts): return [{'good': 1.0, 'bad': float('nan')}] * 2",
        Line(FUNCTION, "nan as a score", ONE, WRONG),
    ),
    "a score beyond all numbers": (
        "def label(texts): return [{'good': 10**400, 'bad': 0}] * 2",
        Line(FUNCTION, "as a score", ONE, WRONG),
    ),
    "no answer to a text": (
        "def label(texts): return [None, 'good']",
        Line(FUNCTION, "neither a label nor scores", ONE, WRONG),
    ),
    "a module that is no Python": (
        "def label(texts) return",
        Line("rules.py, line 1", "expected ':'", "a module of Python", WRONG),
    ),
    "a module of bytes that are not UTF-8": (
        "# caf\udce9",
        Line("rules.py, line 1", "the byte 0xe9", "UTF-8 text", "Convert the file"),
    ),
}
GIVEN: dict[str, tuple[object, object, Line]] = {
    "several labels of which one is unknown": (
        ["good", "fine"],
        None,
        Line("here", "'fine' as a label", SEVERAL, "Correct it"),
    ),
    "labels in a mapping": (
        {"good": 1},
        None,
        Line("here", "{'good': 1} as a label", SEVERAL, "Correct it"),
    ),
    "a label that is a number": (1, None, Line("here", "1 as a label", SEVERAL, "Correct it")),
    "scores by numbers": (
        None,
        {0: 0.0, 1: 1.0},
        Line("here", "{0: 0.0, 1: 1.0} as scores", SEVERAL, "Correct it"),
    ),
    "a score that is text": (
        None,
        {"bad": "0", "good": 1},
        Line("here", "'0' as a score", SEVERAL, "Correct it"),
    ),
}


def _names(check: Callable[..., None], names: set[str], line: Line) -> Case:
    return Case(lambda folder: check(names, where="m"), line)


def _settings(content: str, line: Line) -> Case:
    def read(folder: Path) -> None:
        write(folder / "config.json", content)
        where = "models.yaml, 'mine'"
        check_encoder_labels(folder, labels=LABELS, renamed={}, dataset="mine", where=where)

    return Case(read, line)


def _function(content: str, line: Line) -> Case:
    sheet: Mapping[str, Any] = {"function": "rules:label", "batch_size": 2, "version": 1}

    def read(folder: Path) -> object:
        path = write(folder / "rules.py", content.encode(errors="surrogateescape"))
        model = FunctionModel(path, sheet=sheet, labels=LABELS, multi_label=False)
        return list(model.responses(["one", "two"]))

    return Case(read, line)


def _given(label: object, scores: object, line: Line) -> Case:
    given = SuppliedLabels(LABELS, multi_label=True, fix="Correct it.")
    return Case(lambda folder: given.response(label, scores=scores, where="here"), line)


def _load_empty_settings(folder: Path) -> None:
    write(folder / "config.json", json.dumps({}))
    load_config(folder)


def _load_broken_tokenizer(folder: Path) -> None:
    write(folder / "tokenizer.json", "{")
    write(folder / "tokenizer_config.json", "{")
    load_tokenizer(folder)


CASES = {
    **{name: _names(*case) for name, case in NAMES.items()},
    **{name: _settings(*case) for name, case in SETTINGS.items()},
    **{name: _function(*case) for name, case in ANSWERS.items()},
    **{name: _given(*case) for name, case in GIVEN.items()},
    "settings of no kind of model": Case(
        _load_empty_settings, Line("", "model", SAVED, "Put the missing files there")
    ),
    "a tokenizer that is no JSON": Case(
        _load_broken_tokenizer, Line("", "", SAVED, "Put the missing files there")
    ),
}
