"""What the files of a study hold is checked while it is planned, as far as they are there."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import read_config
from hinter.contents import SMALL_BYTES, check_contents
from hinter.errors import InputError
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[2]
GOOD, BAD = "The film was fine, number {}.", "The film was dull, number {}."
NO_WEIGHTS = b"\2\0\0\0\0\0\0\0{}"
MODEL_FILES = ["config.json", "model.safetensors", "tokenizer.json"]
ENDPOINT = {
    "about": "ours",
    "kind": "endpoint",
    "base_url": "http://localhost:8000/v1",
    "model": "m",
    "tokenizer": "cl100k_base",
}
ENCODER = {"about": "ours", "kind": "encoder", "folder": "model"}
PROMPT = {
    "version": 1,
    "instruction": "Say {labels}.",
    "question": "{text}\nAnswer:",
    "examples": {"ours:0": ["bad"], "ours:1": ["good"]},
}


class Files:
    """A working folder with a sound study of the user's own, to be spoilt part by part."""

    def __init__(self, folder: Path) -> None:
        for part in ("config", "data"):
            shutil.copytree(ROOT / part, folder / part)
        self.dataset: dict[str, Any] = {
            "about": "ours",
            "file": "texts.csv",
            "text": "text",
            "label": "label",
            "label_names": {"0": "bad", "1": "good"},
            "split_column": "part",
            "splits": {"tested": 4, "held_out": 2},
            "prompt": "prompt.yaml",
        }
        self.model: dict[str, Any] = dict(ENDPOINT)
        self.more: dict[str, Any] = {}
        self.prompt: dict[str, Any] = dict(PROMPT)
        self.rows = [f'"{(BAD, GOOD)[n % 2].format(n)}",{n % 2},ours' for n in range(9)]
        self.config: dict[str, Any] = {}

    def write(self) -> Path:
        """Write all to the working folder and return the path of the configuration."""
        for name, content in [
            ("datasets.yaml", {"mine": self.dataset}),
            ("models.yaml", {"ours": self.model, **self.more}),
            ("prompt.yaml", self.prompt),
        ]:
            Path(name).write_text(yaml.safe_dump(content), encoding="utf-8")
        Path("texts.csv").write_text("\n".join(["text,label,part", *self.rows, ""]))
        config = {
            "seed": 1,
            "datasets_sheet": "datasets.yaml",
            "models_sheet": "models.yaml",
            "datasets": ["mine"],
            "models": ["ours", *self.more],
            "attributes": ["body", "race"],
            "orders": [1],
        }
        Path("study.yaml").write_text(yaml.safe_dump(config | self.config), encoding="utf-8")
        return Path("study.yaml")

    def check(self) -> None:
        config = yaml.safe_load(self.write().read_text(encoding="utf-8"))
        check_contents(Study(read_config(config)))

    def curate(self, attribute: str, change: Callable[[dict[str, Any]], Any]) -> None:
        path = Path(f"config/dictionary/{attribute}.yaml")
        sheet = yaml.safe_load(path.read_text(encoding="utf-8"))
        change(sheet)
        path.write_text(yaml.safe_dump(sheet, sort_keys=False), encoding="utf-8")

    def run_encoder(self, *files: str, **changes: Any) -> None:
        """Take an encoder in the folder `model`, with these files."""
        Path("model").mkdir()
        for name in files:
            Path("model", name).write_text(json.dumps({"id2label": {0: "bad", 1: "good"}}))
            if name.endswith(".safetensors"):
                Path("model", name).write_bytes(NO_WEIGHTS)
        self.model = ENCODER | changes


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.chdir(tmp_path)
    return Files(tmp_path)


def _with_an_unknown_name(sheet: dict[str, Any]) -> None:
    for group in sheet["groups"].values():
        group["sbic"].append("nobody")


def _with_an_undeclared_group(sheet: dict[str, Any]) -> None:
    sheet["pairs"][0]["terms"] = {"x": ["fat people"], "y": ["thin people"]}
    sheet["pairs"][0]["form"] = "product"


def _with_controls(files: Files) -> None:
    """Make one of the controls a word of the attribute body."""
    files.config["attributes"] = ["body"]
    files.curate("control", lambda sheet: sheet["pairs"][0]["terms"][0].update(side_a="patients"))


def _with_another_setting_of_a_probe(files: Files) -> None:
    files.config["probes"] = ["professional"]
    path = Path("config/probes/professional.yaml")
    sheet = yaml.safe_load(path.read_text(encoding="utf-8"))
    sheet["settings"]["seed"] = 1
    path.write_text(yaml.safe_dump(sheet), encoding="utf-8")


def _with_a_judge(files: Files, **changes: str) -> None:
    files.config |= {"probes": ["professional"], "judge": {"model": "ours", "prompt": "judge.yaml"}}
    sheet = yaml.safe_load(Path("config/prompts/judge.yaml").read_text(encoding="utf-8"))
    Path("judge.yaml").write_text(yaml.safe_dump(sheet | changes), encoding="utf-8")


def _with_prompts(files: Files, spoil: Callable[[Any], object]) -> None:
    files.more["rater"] = {"about": "a", "kind": "encoder", "resource": "all_minilm_l6_v2"}
    rater = {"model": "rater", "dataset": "mine"}
    files.config["relations"] = {"prompts": "people.yaml", "raters": {"sentiment": rater}}
    sheet = yaml.safe_load(Path("config/relations/prompts.yaml").read_text(encoding="utf-8"))
    spoil(sheet)
    Path("people.yaml").write_text(yaml.safe_dump(sheet), encoding="utf-8")


SPOILT: dict[str, tuple[Callable[[Files], Any], str]] = {
    "a model of pickled weights": (
        lambda files: files.run_encoder("config.json", "pytorch_model.bin", "vocab.txt"),
        "models.yaml, 'ours', key 'folder': found pickled weights (pytorch_model.bin)",
    ),
    "an unknown setting of a probe": (
        _with_another_setting_of_a_probe,
        "config/probes/professional.yaml, key 'settings': found the unknown key 'seed'",
    ),
    "a judge's prompt without the answer": (
        lambda files: _with_a_judge(files, question="{prompt}"),
        "judge.yaml, key 'question': found no placeholder {answer}; expected {answer}, which",
    ),
    "a judge's prompt with another field": (
        lambda files: _with_a_judge(files, question="{prompt} {answer} {text}"),
        "judge.yaml, key 'question': found the placeholder {text}; expected no placeholder but",
    ),
    "a judge's prompt without the labels": (
        lambda files: _with_a_judge(files, instruction="Say what is meant."),
        "judge.yaml, key 'instruction': found no placeholder {labels}; expected {labels}, which",
    ),
    "a judge's word that is a label": (
        lambda files: _with_a_judge(files, none="nurse"),
        "judge.yaml, key 'none': found 'nurse'; expected words that are neither a label of",
    ),
    "one word of a judge for two things": (
        lambda files: _with_a_judge(files, refused="None"),
        "judge.yaml, key 'refused': found 'None'; expected words that are neither a label of",
    ),
    "a contrast that is no value": (
        lambda files: _with_prompts(
            files,
            lambda sheet: sheet["attributes"]["language"]["values"]["English"].update(contrast="x"),
        ),
        "people.yaml, key 'attributes.language.values.English.contrast': found 'x'; expected",
    ),
    "too few prompts for the sources": (
        lambda files: (
            _with_prompts(files, lambda sheet: None),
            files.config["relations"].update(sources=10**6),
        ),
        "configuration, key 'relations.sources': found 1,000,000; expected at most the",
    ),
    "a group that no SBIC has": (
        lambda files: files.curate("body", _with_an_unknown_name),
        "found the SBIC name 'nobody'; expected a group of SBIC's categories",
    ),
    "a group that is not declared": (
        lambda files: files.curate("body", _with_an_undeclared_group),
        "config/dictionary/body.yaml, term 'fat people': found group 'x'",
    ),
    "an unknown key in the dictionary": (
        lambda files: files.curate("body", lambda sheet: sheet.update(colour="red")),
        "config/dictionary/body.yaml: found the unknown key 'colour'; expected only",
    ),
    "another attribute's dictionary": (
        lambda files: files.curate("body", lambda sheet: sheet.update(attribute="race")),
        "config/dictionary/body.yaml, key 'attribute': found 'race'; expected 'body'",
    ),
    "a control with words of a sensitive term": (
        _with_controls,
        "config/dictionary/control.yaml, term 'patients': found words of the sensitive term",
    ),
    "a prompt with a placeholder that nothing fills": (
        lambda files: files.prompt.update(question="{text} {lable}"),
        "prompt.yaml, key 'question': found the placeholder {lable}",
    ),
    "a prompt whose example has an unknown label": (
        lambda files: files.prompt.update(examples={"ours:0": ["awful"]}),
        "prompt.yaml, key 'examples.ours:0': found the label 'awful'",
    ),
    "an example with another label": (
        lambda files: files.prompt.update(examples={"ours:0": ["good"]}),
        "texts.csv, example 'ours:0': found the labels (bad); expected (good)",
    ),
    "an example that the texts lack": (
        lambda files: files.prompt.update(examples={"ours:99": ["good"]}),
        "texts.csv: found no row 99 of 'ours'",
    ),
    "a column that the texts lack": (
        lambda files: files.dataset.update(text="body"),
        "texts.csv, line 1: found the columns text, label, part; expected a column 'body'",
    ),
    "a label without a name": (
        lambda files: files.rows.append("Another film.,2,ours"),
        "texts.csv, line 11, column 'label': found the label '2'; expected one of 0, 1",
    ),
    "more texts in the splits than there are": (
        lambda files: files.dataset.update(splits={"tested": 500}),
        "texts.csv, split 'tested': found 7 texts left to sample; expected 500",
    ),
    "a folder in the place of a file": (
        lambda files: files.dataset.update(file="data"),
        "data: found a folder; expected a dataset file (.csv, .json, .jsonl",
    ),
    "a GGUF file as a tokenizer": (
        lambda files: files.model.update(tokenizer="smollm2_135m_instruct"),
        "models.yaml, 'ours', key 'tokenizer': found no tokenizer among its files (SmolLM2",
    ),
    "a folder without a tokenizer": (
        lambda files: files.model.update(tokenizer="config"),
        "models.yaml, 'ours', key 'tokenizer': found no tokenizer among its files (",
    ),
    "an adapter without its model": (
        lambda files: files.run_encoder("adapter_config.json", "adapter_model.safetensors"),
        "models.yaml, 'ours', key 'folder': found an adapter without the model",
    ),
    "outputs that are numbered from 1": (
        lambda files: (
            files.run_encoder(*MODEL_FILES),
            Path("model/config.json").write_text('{"id2label": {"1": "bad", "2": "good"}}'),
        ),
        "model/config.json: found outputs in 'id2label' that are not numbered from 0; expected",
    ),
    "a pattern without a group": (
        lambda files: files.model.update(answer={"pattern": "=> (.*)"}),
        "key 'ours.answer': found a pattern without the group; expected (?P<label>...)",
    ),
    "a pattern that is none": (
        lambda files: files.model.update(answer={"pattern": "(?P<label>"}),
        "key 'ours.answer': found a pattern that is not valid (missing ), unterminated subpattern",
    ),
    "a tokenizer without a vocabulary": (
        lambda files: (
            files.run_encoder("tokenizer_config.json"),
            setattr(files, "model", ENDPOINT | {"tokenizer": "model"}),
        ),
        "models.yaml, 'ours', key 'tokenizer': found no vocabulary; expected one of tokenizer.json",
    ),
    "a model without a tokenizer": (
        lambda files: files.run_encoder(*MODEL_FILES[:2]),
        "models.yaml, 'ours', key 'folder': found no vocabulary; expected one of tokenizer.json",
    ),
    "a model without weights": (
        lambda files: files.run_encoder(*MODEL_FILES[::2]),
        "models.yaml, 'ours', key 'folder': found no model; expected config.json and weights",
    ),
    "weights that are truncated": (
        lambda files: (
            files.run_encoder(*MODEL_FILES),
            Path("model/model.safetensors").write_bytes(NO_WEIGHTS[:-1]),
        ),
        "model/model.safetensors: found weights that are truncated or damaged; expected all files",
    ),
    "a pointer in place of a file": (
        lambda files: (
            files.run_encoder(*MODEL_FILES),
            Path("model/tokenizer.json").write_text("version https://git-lfs.github.com/spec/v1"),
        ),
        "model/tokenizer.json: found a pointer of Git LFS instead of the file; expected all files",
    ),
    "a shard that is missing beside pickled weights": (
        lambda files: (
            files.run_encoder(*MODEL_FILES[::2], "pytorch_model.bin"),
            Path("model/model.safetensors.index.json").write_text(
                '{"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}'
            ),
        ),
        "index.json: found 2 files listed that are missing, such as model-1.safetensors; expected",
    ),
    "labels of a model that has none of this name": (
        lambda files: files.run_encoder(*MODEL_FILES, labels={"LABEL_0": "bad"}),
        "models.yaml, 'ours', key 'labels': found 'LABEL_0'; expected one of bad, good",
    ),
    "two labels of a model under one name": (
        lambda files: files.run_encoder(*MODEL_FILES, labels={"good": "bad"}),
        "key 'id2label': found 2 labels: bad, bad; expected those of the dataset 'mine': bad, good",
    ),
    "a GGUF file that is not named": (
        lambda files: files.run_encoder("weights.gguf", kind="causal", answers="generated"),
        "models.yaml, 'ours', key 'folder': found no model, only weights.gguf; expected",
    ),
    "a GGUF file that is not there": (
        lambda files: files.run_encoder(
            "weights.gguf", kind="causal", answers="generated", gguf="b.gguf"
        ),
        "models.yaml, 'ours', key 'gguf': found 'b.gguf'; expected one of its files: weights.gguf",
    ),
}


for what, settings, said in [
    ("label names that are no texts", '{"id2label": {"0": 1, "1": 2}}', "a name in 'id2label'"),
    ("a label name that is a list", '{"id2label": {"0": ["bad"]}}', "a name in 'id2label'"),
    ("settings nested too deeply", "[" * 200_000, "maximum recursion depth"),
]:
    SPOILT[what] = (
        lambda files, settings=settings: (  # type: ignore[misc]
            files.run_encoder(*MODEL_FILES),
            Path("model/config.json").write_text(settings),
        ),
        f"models.yaml, 'ours': model/config.json: found {said}",
    )


def test_a_sound_study_is_accepted(files: Files) -> None:
    files.check()
    files.run_encoder(*MODEL_FILES)
    files.check()
    files.dataset["file"] = "t*s.csv"
    files.check()
    files.model = ENCODER | {"labels": {"bad": "good", "good": "bad"}}
    files.check()
    files.model = ENDPOINT | {"tokenizer": None, "answer": {"json": "label"}}
    files.check()


@pytest.mark.parametrize("case", SPOILT)
def test_a_study_is_refused_while_planning_for(case: str, files: Files) -> None:
    spoil, said = SPOILT[case]
    spoil(files)
    with pytest.raises(InputError) as caught:
        files.check()
    message = str(caught.value)
    assert said in message
    assert "\n" not in message


@pytest.mark.parametrize("examples", [{"ours:0": ["good"]}, {"ours:99": ["good"]}])
def test_examples_that_the_texts_lack_are_told_where_encoders_run_without_them(
    examples: dict[str, list[str]], files: Files, capfd: pytest.CaptureFixture[str]
) -> None:
    files.prompt.update(examples=examples)
    files.more = {"asked": dict(ENDPOINT)}
    files.run_encoder(*MODEL_FILES)
    files.check()
    assert "Prompted models cannot be run on 'mine'." in capfd.readouterr().err


def test_sbic_names_are_left_to_the_run_where_it_counts_them(files: Files) -> None:
    files.config["sbic"] = "sbic"
    SPOILT["a group that no SBIC has"][0](files)
    files.check()


def test_a_large_file_of_texts_is_left_to_the_job_that_reads_it(files: Files) -> None:
    files.rows = ["A film.,7,ours"] * (SMALL_BYTES // 10)
    begin = time.perf_counter()
    files.check()
    assert time.perf_counter() - begin < 2


def _dry_run(*arguments: str, forks: dict[str, str]) -> tuple[int, list[str]]:
    command = [forks["ASK_FORKS"], "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    done = subprocess.run(
        [*command, "--dry-run", "--configfile", "study.yaml", *arguments],
        env={**os.environ, **forks},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def test_a_dry_run_shows_one_line(files: Files, forks: dict[str, str]) -> None:
    files.rows.append("Another film.,2,ours")
    files.write()
    status, output = _dry_run(forks=forks)
    assert status != 0
    assert sum("found the label '2'; expected one of 0, 1" in line for line in output) == 1
    # Nor is it shown where in the code it was found.
    assert output[-1].startswith("texts.csv, line 11, column 'label': found")
    files.rows[-1:] = ["Another film.,2,ours", "One more.,3,ours"]
    files.write()
    *_, first, second, third = _dry_run(forks=forks)[1]
    assert first == "texts.csv: found 2 faults; expected none. These are all:"
    assert ("line 11" in second, "line 12" in third) == (True, True)


def test_a_configuration_with_a_key_twice_is_refused_by_file_and_line(
    files: Files, forks: dict[str, str]
) -> None:
    path = files.write()
    lines = len(path.read_text().splitlines())
    with path.open("a") as file:
        file.write("seed: 2\n")
    status, output = _dry_run(forks=forks)
    assert status != 0
    found = f"study.yaml, line {lines + 1}: found the key 'seed' a second time"
    assert sum(found in line for line in output) == 1


VALUES = {
    "seed": "7",
    "orders": "[1]",
    "suite": "{originals: 3, discarded: false}",
    "grammar": "{enabled: false, margin: 5e-1}",
    "budget_usd": "null",
    "sbic": "null",
    "invariant": "{comparator: strict, max_sentence_chars: 300, parser: {batch_size: 9}}",
}
SHOW_CONFIG = """
import json, sys
sys.path.append("workflow/scripts")
include: "workflow/rules/common.smk"
print("CONFIG", json.dumps(config, sort_keys=True))
rule all:
"""


def _config(folder: Path, *arguments: str, forks: dict[str, str]) -> dict[str, Any]:
    """Return the configuration that a study has by the command line."""
    (folder / "Snakefile").write_text(SHOW_CONFIG)
    status, output = _dry_run("--snakefile", "Snakefile", *arguments, forks=forks)
    assert status == 0, output
    (line,) = (line for line in output if line.startswith("CONFIG"))
    config: dict[str, Any] = json.loads(line.removeprefix("CONFIG"))
    return config


def test_values_of_the_command_line_mean_what_they_mean_in_a_file(
    files: Files, forks: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "workflow").symlink_to(ROOT / "workflow")
    # The first two are refused unless set to null.
    files.config |= {"budget_usd": 5, "sbic": "nowhere", "orders": [1, 2]}
    files.write()
    options = [f"{key}={text}" for key, text in VALUES.items()]
    by_option = _config(tmp_path, "--config", *options, forks=forks)
    files.config |= {key: yaml.safe_load(text) for key, text in VALUES.items()}
    files.config["grammar"]["margin"] = 0.5
    files.write()
    assert by_option == _config(tmp_path, forks=forks)
    assert by_option["suite"]["originals"] == 3
