"""Bad input is refused with one line: where it stands, what was found, what to do instead."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import predict_suite
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hinter.compared import compared_files
from hinter.config import (
    Config,
    Datasets,
    DictionarySheet,
    Encoder,
    PromptSheet,
    check_sheet,
    read_config,
    read_sheet,
)
from hinter.corpora import fault_of_examples, prepare_corpus
from hinter.dictionary import build_groups, check_curation, count_posts, split_files
from hinter.errors import InputError
from hinter.study import Study
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = ROOT / "data" / "registry.yaml"
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
SETTINGS = Path("studies/literal/results/config.json")
"""What another study in the working folder says of itself."""
RUNS = [(model, "imdb") for model in CONFIG["models"]]
CONFIG_TEXT = "seed: 1\ndatasets: [a]\nmodels: [b]\nattributes: [race]\norders: [1]\n"
DATASET = {
    "about": "texts of ours",
    "file": "texts.csv",
    "text": "text",
    "label": "label",
    "label_names": {"0": "bad", "1": "good"},
    "splits": {"tested": None},
}


ENDPOINT = {
    "kind": "endpoint",
    "base_url": "http://localhost:8000/v1",
    "model": "gpt-3.5-turbo-0125",
    "tokenizer": "cl100k_base",
    "context_tokens": 4096,
}


class Line(NamedTuple):
    """The parts that a message must have."""

    where: str
    found: str
    expected: str
    fix: str


def _assert_says(message: str, line: Line) -> None:
    where, _, rest = message.partition(": found ")
    found, _, rest = rest.partition("; expected ")
    expected, _, fix = rest.partition(". ")
    assert "\n" not in message
    assert "found found" not in message
    assert where.endswith(line.where)
    assert line.found in found
    assert line.expected in expected
    assert line.fix in fix


def _refusal(read: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as caught:
        read()
    return str(caught.value)


def _write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# Sheets: YAML against a model.

CONFIG_FIX = "are described in config/schemas/config.schema.yaml"
SHEETS = {
    "unknown key": (
        CONFIG_TEXT + "sede: 2\n",
        Line("sheet.yaml", "the unknown key 'sede'", "only the keys assessment, ", CONFIG_FIX),
    ),
    "unknown key inside a key": (
        CONFIG_TEXT + "suite: {original: 2}\n",
        Line(
            "key 'suite'",
            "the unknown key 'original'",
            "originals, pairs_per_attribute",
            CONFIG_FIX,
        ),
    ),
    "missing key": (
        CONFIG_TEXT.replace("seed: 1\n", ""),
        Line("sheet.yaml", "no key 'seed'", "the keys seed, datasets, ", CONFIG_FIX),
    ),
    "missing key inside a key that may be null": (
        CONFIG_TEXT + "judge: {prompt: a.yaml}\n",
        Line("sheet.yaml, key 'judge'", "no key 'model'", "the keys model", CONFIG_FIX),
    ),
    "unknown key inside a key that may be null": (
        CONFIG_TEXT + "judge: {name: a}\n",
        Line("key 'judge'", "the unknown key 'name'", "only the keys model, prompt", CONFIG_FIX),
    ),
    "wrong type": (
        CONFIG_TEXT.replace("seed: 1", "seed: one"),
        Line("key 'seed'", "'one'", "a whole number (7, not 7.0) of at least 0 and", CONFIG_FIX),
    ),
    "yes instead of a number": (
        CONFIG_TEXT.replace("seed: 1", "seed: yes"),
        Line("key 'seed'", "True", "the one seed", CONFIG_FIX),
    ),
    "wrong type in a list": (
        CONFIG_TEXT.replace("[race]", "[race, 1]"),
        Line("key 'attributes.1'", "1", "letters", "Put text in quotes. The"),
    ),
    "number out of range": (
        CONFIG_TEXT.replace("[1]", "[1, 9]"),
        Line("key 'orders.1'", "9", "at most 4: how many attributes", CONFIG_FIX),
    ),
    "mark-up in a name": (
        CONFIG_TEXT + "grammar: {left_out: ['A_RULE', '`x <javascript:y>`_']}\n",
        Line(
            "key 'grammar.left_out.1'", "which does not match", "a name without spaces", CONFIG_FIX
        ),
    ),
    "name given twice in a list": (
        CONFIG_TEXT.replace("[a]", "[a, a]"),
        Line("key 'datasets'", "'a' twice", "each once: names of datasets", CONFIG_FIX),
    ),
    "key given twice": (
        CONFIG_TEXT + "seed: 2\n",
        Line("sheet.yaml, line 6", "the key 'seed' a second time", "valid YAML", "Correct that"),
    ),
    "inner key given twice": (
        CONFIG_TEXT + "suite:\n  originals: 1\n  originals: 2\n",
        Line("line 8", "the key 'originals' a second time", "valid YAML", "Correct that line"),
    ),
    "key that is a list": (
        CONFIG_TEXT + "? [a, b]\n: 1\n",
        Line("sheet.yaml, line 6", "a list or mapping as a key", "text as a key", "Correct that"),
    ),
    "bracket left open": (
        "seed: 1\ndatasets: [a\nmodels: [b]\n",
        Line("sheet.yaml, line 3", "no ',' or ']'", "valid YAML", "Correct that line"),
    ),
    "tab for indentation": (
        "seed: 1\nsuite:\n\toriginals: 3\n",
        Line(
            "sheet.yaml, line 3", "character that cannot start", "valid YAML", "Correct that line"
        ),
    ),
    "NUL": (
        "seed: \0 1\n",
        Line("sheet.yaml", "control characters", "valid YAML", "Correct that line"),
    ),
    "not UTF-8": (
        b"seed: 1\nparser: caf\xe9\n",
        Line("sheet.yaml, line 2", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "nothing": (
        "",
        Line("sheet.yaml", "None", "a mapping: the configuration of a study", CONFIG_FIX),
    ),
}


@pytest.mark.parametrize("case", SHEETS)
def test_sheet_is_refused_for(case: str, tmp_path: Path) -> None:
    content, line = SHEETS[case]
    path = _write(tmp_path / "sheet.yaml", content)
    message = _refusal(lambda: read_sheet(path, Config))
    assert message.startswith(str(path))
    _assert_says(message, line)


def test_missing_sheet_is_told(tmp_path: Path) -> None:
    path = tmp_path / "sheet.yaml"
    message = _refusal(lambda: read_sheet(path, Config))
    line = Line(str(path), "no such file", "a YAML sheet", "correct the path in config/config.yaml")
    _assert_says(message, line)


def test_job_ends_with_the_one_line_in_its_log(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    path = _write(tmp_path / "sheet.yaml", "seed: 1\nseed: 2\n")
    program = (
        "import sys, hinter.job, hinter.config\n"
        "with hinter.job.logged_to(sys.argv[1]):\n"
        "    hinter.config.read_sheet(sys.argv[2], hinter.config.Config)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, log, path],
        cwd=ROOT / "workflow" / "scripts",
        capture_output=True,
        text=True,
        check=False,
    )
    message = _refusal(lambda: read_sheet(path, Config))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert log.read_text(encoding="utf-8") == f"ERROR {message}\n"


def test_a_warning_of_what_is_paid_for_is_in_the_log_and_on_the_terminal(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    program = (
        "import sys, hinter.job\n"
        "with hinter.job.logged_to(sys.argv[1]):\n"
        "    hinter.job.warn('%d of %s', 3, '100 %')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, log],
        cwd=ROOT / "workflow" / "scripts",
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("", "WARNING 3 of 100 %\n")
    assert log.read_text(encoding="utf-8") == done.stderr


# The study: names and places in the sheets.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the repository's configuration and a sheet of the user's own."""
    (tmp_path / "config").symlink_to(ROOT / "config")
    (tmp_path / "data").symlink_to(ROOT / "data")
    _write(tmp_path / "texts.csv", "text,label\nhello,1\nbye,0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _study(config: Mapping[str, Any]) -> Study:
    return Study(read_config(CONFIG | config))


def _with_dataset(*, models: Sequence[str] = ("minilm",), **changes: Any) -> dict[str, Any]:
    """The configuration of a study with a dataset of the user's own, sheet written."""
    splits = {"tested": 1, "calibration": 1, "training": None}
    sheet = {"mine": DATASET | {"splits": splits} | changes}
    _write(Path("mine.yaml"), yaml.safe_dump(sheet))
    return {"datasets": ["mine"], "datasets_sheet": "mine.yaml", "models": list(models)}


def _with_model(**changes: Any) -> dict[str, Any]:
    """The configuration of a study with a model of the user's own, sheet written."""
    sheet = {"mine": {"about": "a model of ours", "kind": "encoder"} | changes}
    _write(Path("models.yaml"), yaml.safe_dump(sheet))
    return {"models": ["mine"], "models_sheet": "models.yaml"}


def _with_gate(*, stored: bool = False, **changes: Any) -> dict[str, Any]:
    """The configuration of a study with a gate, which may have a stored baseline."""
    if stored:
        path = Path("studies/last/results/verdicts/minilm/imdb.parquet")
        path.parent.mkdir(parents=True)
        path.touch()
    return {"gate": {"candidate": "smollm2", "baseline": "minilm"} | changes}


def _with_compared(**changes: Any) -> dict[str, Any]:
    """The configuration of a study beside another one, of which only its own is there."""
    SETTINGS.parent.mkdir(parents=True)
    _write(SETTINGS, read_config(CONFIG | changes).model_dump_json())
    return {"compared": {"the paper's": "studies/literal"}}


STUDIES: dict[str, tuple[Callable[[], dict[str, Any]], Line]] = {
    "an unknown dataset": (
        lambda: {"datasets": ["imbd"]},
        Line(
            "configuration, key 'datasets'", "'imbd'", "one of imdb", "it in config/datasets.yaml"
        ),
    ),
    "an unknown model": (
        lambda: {"models": ["gpt"]},
        Line("configuration, key 'models'", "'gpt'", "minilm, smollm2", "config/models.yaml"),
    ),
    "an unknown attribute": (
        lambda: {"attributes": ["race", "height"]},
        Line(
            "configuration, key 'attributes', 'height'",
            "nothing at config/dictionary/height.yaml",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "an unknown parser": (
        lambda: {"invariant": {"parser": {"resource": "en_core_web_xl"}}},
        Line(
            "configuration, key 'invariant.parser', key 'resource'",
            "the resource 'en_core_web_xl'",
            "en_core_web_sm",
            "add the resource to data/registry.yaml",
        ),
    ),
    "answers that are not there": (
        lambda: {"assessment": {"answers": ["nowhere/ada.csv"]}},
        Line(
            "configuration, key 'assessment.answers'",
            "nothing at nowhere/ada.csv",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a parser in a folder that is not there": (
        lambda: {"invariant": {"parser": {"folder": "nowhere/trf"}}},
        Line(
            "configuration, key 'invariant.parser', key 'folder'",
            "nothing at nowhere/trf",
            "a file or folder",
            "relative to the folder you run in",
        ),
    ),
    "an unknown comparator": (
        lambda: {"invariant": {"comparator": "lenient"}},
        Line(
            "configuration, key 'invariant.comparator'",
            "'lenient'",
            "one of tolerant, strict, heads: tolerant (the paper's)",
            "config.schema.yaml",
        ),
    ),
    "neutral pairs among the sensitive ones": (
        lambda: {"attributes": ["gender", "control"]},
        Line(
            "configuration, key 'attributes'",
            "'control'",
            "sensitive attributes",
            "Remove it: `controls: true` uses config/dictionary/control.yaml",
        ),
    ),
    "an order without those below it": (
        lambda: {"orders": [1], "sample": {"orders": [3]}},
        Line(
            "configuration, keys 'orders' and 'sample.orders'",
            "the order 3 without the order 2",
            "every order from 1 to 3",
            "hidden bias cannot be told",
        ),
    ),
    "more orders than attributes": (
        lambda: {"attributes": ["race"], "orders": [1, 2]},
        Line(
            "configuration, keys 'orders' and 'sample.orders'",
            "the order 2 with the attributes race",
            "at most 1",
            "Add attributes",
        ),
    ),
    "a parser from two places": (
        lambda: {"invariant": {"parser": {"resource": "en_core_web_sm", "folder": "config"}}},
        Line(
            "configuration, key 'invariant.parser'",
            "both the resource 'en_core_web_sm' and the folder 'config'",
            "one of them",
            "Remove the one that is not meant",
        ),
    ),
    "a sampled order that is listed": (
        lambda: {"orders": [1, 2, 3], "sample": {"orders": [3, 4]}},
        Line(
            "configuration, key 'sample.orders'",
            "the order 3 beside the listed orders [1, 2, 3]",
            "orders above 3",
            "Remove it from 'sample.orders'",
        ),
    ),
    "a dataset without its file": (
        lambda: _with_dataset(file="nowhere/texts.csv"),
        Line(
            "mine.yaml, 'mine', key 'file'",
            "nothing at nowhere/texts.csv",
            "a file or folder",
            "relative to the folder you run in",
        ),
    ),
    "a dataset of an unknown resource": (
        lambda: _with_dataset(resource="imdb_review"),
        Line(
            "mine.yaml, 'mine', key 'resource'",
            "the resource 'imdb_review'",
            "one of imdb_reviews",
            "Correct the name",
        ),
    ),
    "a dataset without its prompt file": (
        lambda: _with_dataset(prompt="nowhere.yaml"),
        Line(
            "mine.yaml, 'mine', key 'prompt'",
            "nothing at nowhere.yaml",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a prompted model on a dataset without a prompt": (
        lambda: _with_dataset(models=["minilm", "smollm2"]),
        Line(
            "mine.yaml, 'mine'",
            "no 'prompt'",
            "which the model 'smollm2' needs",
            "Add it as it is for the dataset 'imdb'",
        ),
    ),
    "a prompted model on a dataset without a calibration split": (
        lambda: _with_dataset(
            models=["smollm2"], prompt="config/prompts/imdb.yaml", splits={"tested": 1}
        ),
        Line("mine.yaml, 'mine'", "no 'calibration'", "the model 'smollm2' needs", "Add it as"),
    ),
    "a model to fine-tune on a dataset without a training split": (
        lambda: _with_dataset(splits={"tested": 1, "calibration": 1}),
        Line("mine.yaml, 'mine'", "no 'training'", "the model 'minilm' needs", "Add it as it is"),
    ),
    "a model to fine-tune on a dataset without labels": (
        lambda: _with_dataset(label=None, label_names={}),
        Line("mine.yaml, 'mine'", "no 'label'", "the model 'minilm' needs", "Add it as"),
    ),
    "a dataset with an unknown split": (
        lambda: _with_dataset(splits={"tested": 1, "test": 1}),
        Line("mine.yaml, key 'mine.splits'", "'test'", "one of tested, held_out", "described in"),
    ),
    "a model without a place": (
        lambda: _with_model(),
        Line(
            "models.yaml, 'mine'", "neither 'resource' nor 'folder'", "one of them", "a folder of"
        ),
    ),
    "a model without its folder": (
        lambda: _with_model(folder="nowhere"),
        Line(
            "models.yaml, 'mine', key 'folder'",
            "nothing at nowhere",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a function in a module that is not there": (
        lambda: _with_model(kind="python", function="rules.ours:label", folder="models"),
        Line(
            "models.yaml, 'mine', key 'function'",
            "nothing at models/rules/ours.py",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a function without a name": (
        lambda: _with_model(kind="python", function="rules.py"),
        Line("models.yaml, key 'mine.function'", "'rules.py'", "", "models.schema.yaml"),
    ),
    "answers to another dataset": (
        lambda: _with_model(kind="answers", files={"scotus": "answers.csv"}),
        Line(
            "models.yaml, 'mine', key 'files'",
            "no file for 'imdb'",
            "one for each dataset",
            "leave the dataset out by `datasets`",
        ),
    ),
    "a model of an unknown kind": (
        lambda: _with_model(kind="seq2seq"),
        Line("models.yaml, key 'mine.kind'", "'seq2seq'", "encoder (", "models.schema.yaml"),
    ),
    "a model on an unknown dataset": (
        lambda: _with_model(**ENDPOINT, datasets=["imdb", "imbd"]),
        Line("models.yaml, 'mine', key 'datasets'", "'imbd'", "imdb", "it in config/datasets.yaml"),
    ),
    "a model on none of the study's datasets": (
        lambda: _with_model(**ENDPOINT, datasets=["scotus"]),
        Line(
            "models.yaml, 'mine', key 'datasets'",
            "no dataset of this study",
            "at least one of them",
            "Remove the model",
        ),
    ),
    "a gate for an unknown candidate": (
        lambda: _with_gate(candidate="new"),
        Line(
            "configuration, key 'gate.candidate'",
            "'new'",
            "one of minilm, smollm2",
            "in `models` of the study and in config/models.yaml",
        ),
    ),
    "a gate with a baseline that is not run": (
        lambda: _with_gate(baseline="bert"),
        Line("key 'gate.baseline'", "'bert'", "one of minilm, smollm2", "in `models` of the study"),
    ),
    "a gate for a model beside itself": (
        lambda: _with_gate(candidate="minilm"),
        Line(
            "configuration, key 'gate.baseline'",
            "the candidate itself, 'minilm'",
            "another model, or the results of another study",
            "name the folder of that study",
        ),
    ),
    "a gate with a baseline in this study's folder": (
        lambda: _with_gate(baseline_folder="."),
        Line("key 'gate.baseline_folder'", "this study", "another study", "leave it out to run"),
    ),
    "a gate with a baseline in a folder without results": (
        lambda: _with_gate(baseline_folder="studies/last"),
        Line(
            "key 'gate.baseline_folder'",
            "nothing at studies/last/results/verdicts/minilm/imdb.parquet",
            "with verdicts on the baseline",
            "Correct it",
        ),
    ),
    "a gate with a stored baseline of another name": (
        lambda: _with_gate(stored=True, baseline="old", baseline_folder="studies/last"),
        Line("key 'gate.baseline_folder'", "verdicts/old/imdb.parquet", "verdicts on", "Correct"),
    ),
    "a gate without controls": (
        lambda: _with_gate() | {"controls": False},
        Line("configuration, key 'gate'", "no controls", "with controls", "Set `controls: true`"),
    ),
    "a gate for models that are run on different things": (
        lambda: (
            _with_gate(candidate="smollm2-chat")
            | {"models": ["minilm", "smollm2-chat"], "probes": ["professional"]}
        ),
        Line("key 'gate'", "no dataset that both are run on", "a dataset", "both models' entries"),
    ),
    "a gate with a threshold of nothing": (
        lambda: _with_gate(threshold=0),
        Line("key 'gate.threshold'", "0", "a number above 0", CONFIG_FIX),
    ),
    "a gate with a confidence in per cent": (
        lambda: _with_gate(confidence=95),
        Line("key 'gate.confidence'", "95", "at least 0.5 and at most 0.999", CONFIG_FIX),
    ),
    "a limit of an unknown model": (
        lambda: {"limits": [{"models": ["smollm"], "tests": 9}]},
        Line("key 'limits', number 1", "'smollm'", "one of minilm", "it in config/models.yaml"),
    ),
    "a limit on an unknown dataset": (
        lambda: {"limits": [{"models": ["minilm"], "datasets": ["imbd"], "tests": 9}]},
        Line("key 'limits', number 1", "'imbd'", "one of imdb", "it in config/datasets.yaml"),
    ),
    "a limit of nothing": (
        lambda: {"limits": [{"models": ["minilm"]}]},
        Line("key 'limits', number 1", "nothing that is limited", "one or more of", "Add one"),
    ),
    "a limit of no tests": (
        lambda: {"limits": [{"models": ["minilm"], "tests": 0}]},
        Line("key 'limits.0.tests'", "0", "at least 1", CONFIG_FIX),
    ),
    "a budget without the price of a model": (
        lambda: {**_with_model(**ENDPOINT | {"model": "gpt-9"}), "budget_usd": 5},
        Line(
            "configuration, key 'budget_usd'",
            "a budget, and no price for 'gpt-9' (the model 'mine')",
            "its price in config/prices.yaml",
            "0 if it costs nothing",
        ),
    ),
    "a tokenizer that is neither a resource nor a folder": (
        lambda: _with_model(**ENDPOINT | {"tokenizer": "cl100k"}),
        Line(
            "models.yaml, 'mine', key 'tokenizer'",
            "nothing at cl100k",
            "a file or folder",
            "Correct the path",
        ),
    ),
    "a compared study that is not there": (
        lambda: {"compared": {"the paper's": "studies/literal"}},
        Line(
            "configuration, key 'compared', 'the paper's'",
            "nothing at studies/literal/results/config.json",
            "a finished study",
            "snakemake --cores 2 --config folder=studies/literal compared=null",
        ),
    ),
    "a compared study without its results": (
        lambda: _with_compared(),
        Line(
            "configuration, key 'compared', 'the paper's'",
            "nothing at studies/literal/results/assessed.parquet",
            "a finished study",
            "--config folder=studies/literal",
        ),
    ),
    "a compared study of other models": (
        lambda: _with_compared(models=["minilm"]),
        Line(
            "configuration, key 'compared', 'the paper's'",
            "the models minilm",
            "those of this study: minilm, smollm2",
            "--config folder=studies/literal",
        ),
    ),
    "a compared study that says nothing of itself": (
        lambda: (_with_compared(), _write(SETTINGS, "{"))[0],
        Line(str(SETTINGS), "Expecting property name", "of a finished study", "Run that study"),
    ),
    "a compared study that is this one": (
        lambda: {"compared": {"the paper's": "./"}},
        Line("key 'compared', 'the paper's'", "this study", "another study", "Remove it"),
    ),
    "a compared study that is called like this one": (
        lambda: {"compared": {"this study": "studies/literal"}},
        Line("key 'compared', 'this study'", "this study", "another study", "Remove it"),
    ),
    "an unknown key of an endpoint": (
        lambda: _with_model(**ENDPOINT, api_key="x"),
        Line(
            "models.yaml, key 'mine'", "the unknown key 'api_key'", "key_variable", "models.schema"
        ),
    ),
    "an endpoint without its address": (
        lambda: _with_model(**{key: ENDPOINT[key] for key in ENDPOINT if key != "base_url"}),
        Line("models.yaml, key 'mine'", "no key 'base_url'", "base_url", "models.schema"),
    ),
    "an address without its protocol": (
        lambda: _with_model(**ENDPOINT | {"base_url": "localhost:8000/v1"}),
        Line(
            "key 'mine.base_url'",
            "'localhost:8000/v1', which is no web address",
            "http://",
            "models.schema",
        ),
    ),
    "an address with a password": (
        lambda: _with_model(**ENDPOINT | {"base_url": "https://me:hunter2@host/v1"}),
        Line(
            "key 'mine.base_url'",
            "'https://(hidden)@host/v1', which is no web address",
            "without a user or a password",
            "models.schema",
        ),
    ),
    **{
        f"an address with the password {password}": (
            lambda password=password: _with_model(  # type: ignore[misc]
                **ENDPOINT | {"base_url": f"https://me:{password}@host/v1"}
            ),
            Line(
                "key 'mine.base_url'",
                "'https://(hidden)@host/v1', which is no web address",
                "without a user or a password",
                "models.schema",
            ),
        )
        for password in ("p/w", "12/pw", "a?b", "a#b", "a@b", "@")
    },
    "an address of LanguageTool with a password": (
        lambda: {"grammar": {"server": "http://me:se/cret@host:8081"}},
        Line(
            "key 'grammar.server'",
            "'http://(hidden)@host:8081', which is no web address",
            "without a user or a password",
            "config.schema",
        ),
    ),
    "a key in the place of its variable": (
        lambda: _with_model(**ENDPOINT, key_variable="sk-secret"),
        Line(
            "models.yaml, key 'mine.key_variable'",
            "a value",
            "the environment variable that holds the key",
            "models.schema.yaml",
        ),
    ),
    "a key of another kind of model": (
        lambda: _with_model(gguf="a.gguf"),
        Line("models.yaml, key 'mine'", "the unknown key 'gguf'", "fine_tuning", "models.schema"),
    ),
}


def test_study_without_a_fault_is_accepted(folder: Path) -> None:
    assert _study(_with_dataset()).dataset_source("mine") == "texts.csv"
    endpoint = _study({**_with_model(**ENDPOINT, datasets=["imdb"]), "budget_usd": 5})
    assert endpoint.runs("endpoint") == [("mine", "imdb")]


@pytest.mark.parametrize("case", STUDIES)
def test_study_is_refused_for(case: str, folder: Path) -> None:
    config, line = STUDIES[case]
    _assert_says(_refusal(lambda: _study(config())), line)


def test_a_finished_study_is_compared_until_it_is_made_anew(folder: Path) -> None:
    config = _with_compared(seed=7)
    _, *files = compared_files("studies/literal", datasets=["imdb"], runs=RUNS).values()
    paths = [Path(file) for file in chain.from_iterable(files)]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    SETTINGS.touch()
    assert _study(config).compared_files() == [str(SETTINGS), *map(str, paths)]
    time = SETTINGS.stat().st_mtime + 1
    os.utime(paths[-1], (time, time))
    line = Line("'the paper's'", f"{paths[-1]}, made after {SETTINGS}", "a finished", "Run that")
    _assert_says(_refusal(lambda: _study(config)), line)


# Models: what the job that runs them finds.


def test_encoder_with_another_number_of_labels_is_refused_before_it_is_run(
    resources: Path, tmp_path: Path
) -> None:
    folder, predictions = tmp_path / "encoder", tmp_path / "predictions.parquet"
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    names = dict(enumerate(["bad", "good", "mixed"]))
    BertForSequenceClassification(BertConfig(**sizes, id2label=names)).save_pretrained(folder)
    AutoTokenizer.from_pretrained(resources / "all_minilm_l6_v2").save_pretrained(folder)
    sheet = Encoder(about="ours", kind="encoder", folder=str(folder)).model_dump()
    message = _refusal(
        lambda: predict_suite.main(
            corpus="corpus.parquet",
            suite="suite.parquet",
            pairs="pairs.csv",
            model=str(folder),
            sheet=sheet,
            task={"labels": ["bad", "good"], "multi_label": False},
            held_out={"texts": None, "seed": 1},
            seed=1,
            shard=1,
            shards=1,
            store=str(tmp_path / "store"),
            predictions=str(predictions),
        )
    )
    place = f"{folder}/config.json, key 'id2label'"
    _assert_says(
        message, Line(place, "3 labels: bad, good, mixed", "2: bad, good", "Give the dataset")
    )
    assert not predictions.exists()


# Datasets: rows of the user's file.


def _prepare(path: Path, **changes: Any) -> str:
    examples = changes.pop("examples", {})
    sheets = check_sheet({"mine": DATASET | changes}, Datasets, where="mine.yaml")
    sheet = sheets.root["mine"].model_dump()

    def prepare() -> None:
        table, _ = prepare_corpus(path, sheet=sheet, examples=examples, seed=1)
        # Prompted models are refused for it, whenever they read the corpus.
        if fault := fault_of_examples(table.schema):
            raise fault

    return _refusal(prepare)


ROW_FIX = "Remove or correct that row"
FIELDS = "the 2 fields of the header"
CSV = "text,label\nfirst,0\n"
JSON = '{"text": "first", "label": 0}\n'
FILES: dict[str, tuple[str, str | bytes, Line]] = {
    "no text column": (
        "a.csv",
        "txt,label\nhello,1\n",
        Line("a.csv, line 2", "the columns txt, label", "a column 'text'", "Correct `text`"),
    ),
    "no label column": (
        "a.csv",
        "text,lable\nhello,1\n",
        Line("a.csv, line 2", "the columns text, lable", "a column 'label'", "`label`"),
    ),
    "a column given twice": (
        "a.csv",
        "text,label,text\nhello,1,bye\n",
        Line("a.csv, line 1", "the column 'text' twice", "distinct columns", "Rename"),
    ),
    "an empty text": (
        "a.csv",
        CSV + " ,1\n",
        Line("a.csv, line 3, column 'text'", "no text", "a text", ROW_FIX),
    ),
    "a text of mark-up only": (
        "a.csv",
        CSV + "<br />,1\n",
        Line("a.csv, line 3, column 'text'", "no text", "a text", ROW_FIX),
    ),
    "a NUL in the text": (
        "a.csv",
        CSV + "a\0b,1\n",
        Line("a.csv, line 3, column 'text'", "the character U+0000", "a text", ROW_FIX),
    ),
    "bytes that are not UTF-8": (
        "a.csv",
        CSV.encode() + b"some more of it,1\n" * 2000 + b"caf\xe9,1\n",
        Line("a.csv, line 2003", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "UTF-16": (
        "a.csv",
        CSV.encode("utf-16"),
        Line("a.csv, line 1", "the byte 0xff", "UTF-8 text", "Convert the file to UTF-8"),
    ),
    "a row with too few fields": (
        "a.csv",
        CSV + "second\n",
        Line("a.csv, line 3", "1 fields", FIELDS, "Quote fields that hold commas"),
    ),
    "a row with too many fields": (
        "a.csv",
        CSV + "\nsecond, third,1\n",
        Line("a.csv, line 4", "3 fields", FIELDS, "Quote fields that hold commas"),
    ),
    "a row after one of several lines": (
        "a.csv",
        CSV + '"se\ncond",1\nthird\n',
        Line("a.csv, line 5", "1 fields", FIELDS, "Quote fields that hold commas"),
    ),
    "a quote that is never closed": (
        "a.csv",
        'label,text\n0,first\n1,second\n0,"third\n1,fourth\n0,fifth\n',
        Line("a.csv, line 4", "broken quotes (unexpected end", "a row of CSV", "Close every quote"),
    ),
    "a quote inside a quoted field": (
        "a.csv",
        CSV + '"so "called" text",1\n',
        Line("a.csv, line 3", "broken quotes", "a row of CSV", "a quoted field twice"),
    ),
    "a label outside the label set": (
        "a.csv",
        CSV + "second,2\n",
        Line("a.csv, line 3, column 'label'", "the label '2'", "one of 0, 1", "`label_names`"),
    ),
    "no row at all": (
        "a.csv",
        "text,label\n",
        Line("a.csv", "no text in 0 rows", "rows that fit", "Correct the file"),
    ),
    "a broken line of JSON": (
        "a.jsonl",
        JSON + '{"text": "second", "label": }\n',
        Line("a.jsonl, line 2", "Expecting value at column 29", "one JSON object", "Correct that"),
    ),
    "a line of JSON with brackets without end": (
        "a.jsonl",
        JSON + "[" * 100_000 + "\n",
        Line("a.jsonl, line 2", "JSON that cannot be read", "one JSON object", "Correct that"),
    ),
    "a line of JSON with a number of thousands of digits": (
        "a.jsonl",
        JSON + '{"text": "second", "label": ' + "1" * 5000 + "}\n",
        Line("a.jsonl, line 2", "the limit (4300 digits)", "one JSON object", "Correct that"),
    ),
    "a line of JSON that is no object": (
        "a.jsonl",
        JSON + '["second", 1]\n',
        Line("a.jsonl, line 2", '["second", 1]', "one JSON object per line", "Correct that line"),
    ),
    "an object without a text": (
        "a.jsonl",
        JSON + '{"label": 1}\n',
        Line("a.jsonl, line 2", "the columns label", "a column 'text'", "Correct `text`"),
    ),
    "an object without a label": (
        "a.jsonl",
        JSON + '{"text": "second"}\n',
        Line("a.jsonl, line 2", "the columns text", "a column 'label'", "`label`"),
    ),
    "a text that is a number": (
        "a.jsonl",
        JSON + '{"text": 5, "label": 1}\n',
        Line("a.jsonl, line 2, column 'text'", "5", "a text", ROW_FIX),
    ),
    "half a surrogate pair": (
        "a.jsonl",
        JSON + '{"text": "a \\ud83d b", "label": 1}\n',
        Line("a.jsonl, line 2, column 'text'", "the character U+D83D", "a text", ROW_FIX),
    ),
    "one unknown label of several": (
        "a.jsonl",
        JSON + '{"text": "second", "label": [1, 7]}\n',
        Line("a.jsonl, line 2, column 'label'", "the label '7'", "one of 0, 1", "`label_names`"),
    ),
    "a file that is no Parquet": (
        "a.parquet",
        CSV * 10,
        Line(
            "a.parquet", "Parquet magic bytes not found", "a Parquet file", "Write the file again"
        ),
    ),
    "an unknown kind of file": (
        "a.txt",
        CSV,
        Line("a.txt", "a file of kind '.txt'", ".csv, .jsonl, .parquet", "the dataset's `file`"),
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_dataset_is_refused_for(case: str, tmp_path: Path) -> None:
    name, content, line = FILES[case]
    path = _write(tmp_path / name, content)
    message = _prepare(path, replacements={"<br />": " "})
    assert message.startswith(str(path))
    _assert_says(message, line)


def test_parquet_that_is_damaged_inside_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = [os.urandom(20).hex() for _ in range(5000)]
    pq.write_table(pa.table({"text": texts, "label": [0] * 5000}), path)
    content, half = path.read_bytes(), path.stat().st_size // 2
    path.write_bytes(content[:half] + b"\0" * 3000 + content[half + 3000 :])
    _assert_says(_prepare(path), Line("a.parquet", "", "a Parquet file", "Write the file again"))


def test_null_in_parquet_is_refused_with_its_row(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["first"] * 1500 + [None], "label": [0] * 1501}), path)
    line = Line("a.parquet, row 1501, column 'text'", "None", "a text", ROW_FIX)
    _assert_says(_prepare(path), line)


def test_dataset_without_its_file_is_refused(tmp_path: Path) -> None:
    message = _prepare(tmp_path / "a.csv")
    _assert_says(message, Line("a.csv", "no such file", ".csv, .jsonl, .parquet", "`file`"))


def test_filter_that_leaves_nothing_is_refused(tmp_path: Path) -> None:
    message = _prepare(_write(tmp_path / "a.csv", CSV), where={"label": "none"})
    _assert_says(message, Line("a.csv", "no text in 1 rows", "`where`", "Correct the file"))


def test_example_that_the_dataset_lacks_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", CSV)
    message = _prepare(path, examples={"0123456789abcdef": ("bad",)})
    found = "no text with original_id 0123456789abcdef"
    _assert_says(message, Line("a.csv", found, "that the prompt names", "`examples`"))


def test_splits_larger_than_the_corpus_are_refused(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", CSV + "second,1\nthird,1\n")
    message = _prepare(path, splits={"tested": 2, "held_out": 2})
    _assert_says(message, Line("a.csv, split 'held_out'", "1 texts", "2", "smaller splits"))


@pytest.mark.parametrize("example", ["a text of the dataset", "0123456789ABCDEF"])
def test_prompt_whose_example_is_no_original_id_is_refused(example: str, tmp_path: Path) -> None:
    prompt = yaml.safe_load((ROOT / "config/prompts/imdb.yaml").read_text(encoding="utf-8"))
    path = _write(tmp_path / "prompt.yaml", yaml.safe_dump(prompt | {"examples": {example: []}}))
    message = _refusal(lambda: read_sheet(path, PromptSheet))
    _assert_says(
        message, Line("key 'examples'", f"'{example}'", "16 hexadecimal digits", "described")
    )


# The dictionary: curation files and SBIC.

CURATION = {
    "attribute": "race",
    "categories": ["race"],
    "groups": {"black": {"sbic": ["black folks"]}, "white": {"sbic": []}},
    "pairs": [
        {
            "form": "product",
            "word_class": "noun_plural",
            "terms": {"black": ["Black people"], "white": ["White people"]},
        }
    ],
}
POSTS = {("race", "black folks"): 3, ("culture", "whites"): 2}


def _curation(path: Path, *, block: Mapping[str, Any] | None = None, **changes: Any) -> str:
    """The refusal of a curation file with changes to it or to its block of pairs."""
    pairs = [CURATION["pairs"][0] | dict(block or {})]
    _write(path, yaml.safe_dump(CURATION | {"pairs": pairs} | changes, sort_keys=False))
    message = _refusal(lambda: _groups(path))
    assert message.startswith(str(path))
    return message


def _groups(path: Path) -> Any:
    curation = check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)
    return build_groups([curation], posts=POSTS)


@pytest.fixture
def curation(tmp_path: Path) -> Path:
    return tmp_path / "race.yaml"


@pytest.mark.parametrize(
    "term", ["Black.*", "(Black)", "Bl[ae]ck", "Black|White", "Black+", "Black\\b", "^Black", "a_b"]
)
@pytest.mark.parametrize("form", ["product", "aligned"])
def test_term_with_regex_characters_is_refused(form: str, term: str, curation: Path) -> None:
    terms: dict[str, Any] = {"black": [term], "white": ["White people"]}
    if form == "aligned":
        terms = {group: names[0] for group, names in terms.items()}
    rows = [terms] if form == "aligned" else terms
    message = _curation(curation, block={"form": form, "terms": rows})
    line = Line("race.yaml, group 'black'", f"the term '{term}'", "words of letters", "write them")
    _assert_says(message, line)


@pytest.mark.parametrize("term", ["", " ", " Black", "Black ", "Black  people", "a\tb", "a\nb"])
def test_term_with_loose_space_is_refused(term: str, curation: Path) -> None:
    terms = {"black": [term], "white": ["White people"]}
    assert "expected words of letters and digits" in _curation(curation, block={"terms": terms})


def test_unknown_word_class_is_refused(curation: Path) -> None:
    message = _curation(curation, block={"word_class": "interjection"})
    place = "race.yaml, key 'pairs.0.word_class'"
    _assert_says(
        message, Line(place, "'interjection'", "adjective, adverb", "dictionary.schema.yaml")
    )


def test_undeclared_group_is_refused(curation: Path) -> None:
    message = _curation(curation, block={"terms": {"black": ["Black"], "asian": ["Asian"]}})
    place, fix = "race.yaml, term 'Asian'", "Declare the group under `groups`"
    _assert_says(message, Line(place, "group 'asian'", "declared groups black, white", fix))


@pytest.mark.parametrize("name", ["black persons", "whites", "Black folks"])
def test_name_that_sbic_lacks_in_the_categories_is_refused(name: str, curation: Path) -> None:
    groups = {"black": {"sbic": ["black folks", name]}, "white": {"sbic": []}}
    message = _curation(curation, groups=groups)
    place, found = "race.yaml, group 'black'", f"the SBIC name '{name}'"
    _assert_says(message, Line(place, found, "SBIC's categories race", "data/sbic/group_posts.csv"))


def test_attribute_other_than_the_file_name_is_refused(curation: Path) -> None:
    message = _curation(curation, attribute="gender")
    place = "race.yaml, key 'attribute'"
    _assert_says(message, Line(place, "'gender'", "'race', as the file is named", "Correct the"))


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"groups": {"black": {}}}, Line("key 'groups.black'", "'sbic'", "", "schema")),
        (
            {"pairs": []},
            Line("key 'pairs'", "[]", "a list of at least 1: blocks of terms", "schema"),
        ),
        ({"notes": "x"}, Line("race.yaml", "the unknown key 'notes'", "only the keys", "schema")),
        (
            {"block": {"form": "aligned", "terms": []}},
            Line(
                "key 'pairs.0.terms'",
                "[]",
                "a list of at least 1: rows that give one term",
                "schema",
            ),
        ),
        (
            {"block": {"form": "aligned"}},
            Line(
                "key 'pairs.0.terms'",
                "{'black': ",
                "a list of at least 1: rows that give",
                "schema",
            ),
        ),
        (
            {"block": {"terms": {"black": ["Black"]}}},
            Line(
                "key 'pairs.0.terms'",
                "{'black': ['Black']}",
                "a mapping of at least 2: a list of terms",
                "schema",
            ),
        ),
        (
            {"block": {"terms": {"black": [False], "white": ["White"]}}},
            Line(
                "key 'pairs.0.terms.black.0'",
                "False",
                "text: a list of terms",
                "Put text in quotes",
            ),
        ),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, dict) else "",
)
def test_curation_file_of_wrong_form_is_refused(
    changes: dict[str, Any], line: Line, curation: Path
) -> None:
    _assert_says(_curation(curation, **changes), line)


@pytest.mark.parametrize(
    "cell", ["race", "", '"race"', "[1]", "null", '{"race": 1}', '["race"', "race,culture"]
)
@pytest.mark.parametrize("column", ["targetCategory", "targetMinority"])
def test_sbic_cell_that_is_no_list_of_names_is_refused(
    column: str, cell: str, tmp_path: Path
) -> None:
    quoted = cell.replace('"', '""')
    good, bad = '"[""race""]"', f'"{quoted}"'
    cells = f"{bad},{good}" if column == "targetCategory" else f"{good},{bad}"
    header = "post,targetCategory,targetMinority\n"
    path = _write(tmp_path / "SBIC.csv", f"{header}a,{good},{good}\nb,{cells}\n")
    found, expected = f"{column} = {cell!r}", "a JSON list of names"
    line = Line(f"{path}, line 3", found, expected, "the unchanged files of SBIC version 2")
    _assert_says(_refusal(lambda: count_posts([path])), line)


def test_sbic_without_its_columns_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path / "SBIC.csv", 'post;targetMinority\na;"[""b""]"\n')
    line = Line(f"{path}, line 2", "targetCategory = None", "a JSON list", "unchanged files")
    _assert_says(_refusal(lambda: count_posts([path])), line)


@pytest.mark.parametrize(
    "text", ["", "post,targetCategory,targetMinority\n", "targetCategory,targetMinority\n[],[]\n"]
)
def test_sbic_without_a_post_on_any_group_is_refused(text: str, tmp_path: Path) -> None:
    path = _write(tmp_path / "SBIC.csv", text)
    line = Line(str(path), "no post with a category", "a row per post", "the unchanged files")
    _assert_says(_refusal(lambda: count_posts([path])), line)


def test_a_folder_without_sbic_is_refused(tmp_path: Path) -> None:
    line = Line(str(tmp_path), "none of SBIC's", "SBIC.v2.agg.trn.csv", "or sbic_v2")
    _assert_says(_refusal(lambda: split_files(tmp_path)), line)


def test_sbic_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path / "SBIC.csv", b'targetCategory,targetMinority\n[],"[""\xe9""]"\n')
    line = Line(f"{path}, line 2", "the byte 0xe9", "UTF-8 text", "Convert the file to UTF-8")
    _assert_says(_refusal(lambda: count_posts([path])), line)


# The same line reaches a user of Snakemake.


def _dry_run(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    """The exit status and the lines of output of a dry run in `folder`."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    done = subprocess.run(
        [*command, "--directory", str(folder), "--dry-run", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def test_snakemake_accepts_a_dataset_of_the_users(folder: Path) -> None:
    _write(Path("study.yaml"), yaml.safe_dump(_with_dataset()))
    status, output = _dry_run(folder, "--configfile", "study.yaml")
    assert status == 0
    assert any("results/corpora/mine.parquet" in line for line in output)


@pytest.mark.parametrize(
    ("option", "config"), [("colour=red", {"colour": "red"}), ("models=[gpt]", {"models": ["gpt"]})]
)
def test_snakemake_shows_the_line_about_the_command_line(
    option: str, config: dict[str, Any], folder: Path
) -> None:
    message = _refusal(lambda: _study(config))
    status, output = _dry_run(folder, "--config", option)
    assert status != 0
    assert output.count(message.replace(f"{ROOT}/", "")) == 1


def test_snakemake_shows_the_line_about_the_users_sheet(folder: Path) -> None:
    config = _with_dataset(file="nowhere.csv")
    message = _refusal(lambda: _study(config))
    _write(Path("study.yaml"), yaml.safe_dump(config))
    status, output = _dry_run(folder, "--configfile", "study.yaml")
    assert status != 0
    assert output.count(message) == 1
