"""A study is begun from a file of texts and what a user names as a model."""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import Models, PromptSheet, read_config, read_sheet
from hinter.errors import InputError
from hinter.study import Study
from hinter.trying import begin_study

ROOT = Path(__file__).resolve().parents[3]
KNOWN = read_sheet(ROOT / "config" / "models.yaml", Models).root
DECIDE = "def fair(texts):\n    return ['granted' for text in texts]\n"
ROWS = [
    {"nr": str(number), "body": f"The doctor asks for help, number {number}.", "decision": label}
    for number, label in enumerate(["granted", "refused"] * 20)
]


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that the user works in, with texts and a function."""
    monkeypatch.chdir(tmp_path)
    _write(tmp_path / "letters.csv", ROWS)
    (tmp_path / "decide.py").write_text(DECIDE, "utf-8")
    return tmp_path


def _begin(model: str, *, texts: str = "letters.csv") -> list[str]:
    return begin_study(texts, model, known=KNOWN, folder=Path("config"))


def _sheet(name: str) -> Any:
    return yaml.safe_load(Path("config", name).read_text("utf-8"))


def _encoder(folder: str, architecture: str, *labels: str) -> None:
    settings = {"architectures": [architecture], "id2label": dict(enumerate(labels))}
    Path(folder).mkdir()
    Path(folder, "config.json").write_text(json.dumps(settings), "utf-8")


def test_a_begun_study_has_few_lines_and_can_be_read(here: Path) -> None:
    lines = _begin("decide:fair")
    study = Path("config", "letters.yaml").read_text("utf-8").splitlines()
    assert 5 <= len([line for line in study if not line.startswith("#")]) <= 15
    default = yaml.safe_load((ROOT / "config" / "config.yaml").read_text("utf-8"))
    read = Study(read_config({**default, **_sheet("letters.yaml")}))
    assert read.runs() == [("fair", "letters")]
    assert not read.meets(["grammar"]) and not read.meets(["cases"])
    assert not read.meets(["assessed mutants"])
    dataset = read.datasets["letters"]
    assert (dataset.text, dataset.label) == ("body", "decision")
    assert dataset.names() == ["granted", "refused"]
    assert lines[0].startswith("texts    40 in letters.csv, column 'body'")
    assert "granted 20, refused 20" in lines[1]
    assert lines[-1].endswith("snakemake --cores 2 --configfile config/letters.yaml")


def test_nothing_is_overwritten(here: Path) -> None:
    _begin("decide:fair")
    with pytest.raises(InputError, match=r"letters\.yaml: found a file"):
        _begin("decide:fair")


@pytest.mark.parametrize(
    ("architecture", "labels", "expected"),
    [
        ("BertForSequenceClassification", ["granted", "refused"], {}),
        (
            "BertForSequenceClassification",
            ["GRANTED", "REFUSED"],
            {"labels": {"GRANTED": "granted", "REFUSED": "refused"}},
        ),
        ("BertForSequenceClassification", ["LABEL_0", "LABEL_1"], {}),
        ("BertModel", [], {"fine_tuning": {"epochs": 3, "learning_rate": 5e-05, "batch_size": 8}}),
    ],
)
def test_an_encoder_in_a_folder(
    architecture: str, labels: list[str], expected: dict[str, Any]
) -> None:
    _encoder("mine", architecture, *labels)
    lines = _begin("mine")
    plain = {"about": "mine", "kind": "encoder", "folder": "mine"}
    assert _sheet("letters/models.yaml") == {"mine": plain | expected}
    dataset = _sheet("letters/datasets.yaml")["letters"]
    named = labels and labels[0] == "LABEL_0"
    assert dataset["label_names"] == (labels if named else ["granted", "refused"])
    assert ("label" in dataset) != bool(named)
    assert any("not used, as the model's labels are LABEL_0" in line for line in lines) == bool(
        named
    )
    assert ("training" in dataset["splits"]) == (architecture == "BertModel")


@pytest.mark.parametrize("model", ["http://localhost:8000/v1#mistral-7b", "gpt2"])
def test_a_prompted_model_gets_a_prompt(model: str) -> None:
    if model == "gpt2":
        _encoder("gpt2", "GPT2LMHeadModel")
    _begin(model)
    [(name, entry)] = _sheet("letters/models.yaml").items()
    assert (name, entry["kind"]) in (("mistral-7b", "endpoint"), ("gpt2", "causal"))
    dataset = _sheet("letters/datasets.yaml")["letters"]
    assert dataset["prompt"] == "config/letters/prompt.yaml"
    prompt = read_sheet("config/letters/prompt.yaml", PromptSheet)
    assert "{labels}" in prompt.instruction
    assert dataset["splits"].get("calibration") == (10 if model == "gpt2" else None)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (lambda number: {}, []),
        (lambda number: {"body": "The doctor met a nurse."}, ["0 empty and 39 repeated", "1 stay"]),
        (lambda number: {"body": ""} if number % 2 else {}, ["20 empty and 0 repeated", "20 stay"]),
        (
            lambda number: {"body": f"{number} nurses " * (1 + number % 2 * 299)},
            ["20 texts are longer"],
        ),
        (lambda number: {"decision": "granted"}, ["one value in decision", "no accuracy"]),
    ],
)
def test_what_makes_texts_of_little_use_is_said_in_one_line(
    changed: Callable[[int], dict[str, str]], expected: list[str], here: Path
) -> None:
    _write(here / "letters.csv", [row | changed(number) for number, row in enumerate(ROWS)])
    _encoder("mine", "BertForSequenceClassification", "granted", "refused")
    said = [line for line in _begin("mine") if line.startswith("caution")]
    assert len(said) == bool(expected)
    assert all(part in said[0] for part in expected)


def test_a_model_of_the_sheet_needs_no_sheet() -> None:
    _begin("minilm")
    assert "models_sheet" not in _sheet("letters.yaml")
    assert _sheet("letters/datasets.yaml")["letters"]["splits"] == {"training": 10, "tested": None}


def test_of_two_columns_of_labels_none_is_guessed(here: Path) -> None:
    _write(here / "letters.csv", [{**row, "sex": "mf"[int(row["nr"]) % 2]} for row in ROWS])
    lines = _begin("decide:fair")
    assert any("could be labels: decision, sex" in line for line in lines)
    assert any("write the model's labels in `label_names`" in line for line in lines)
    assert "label" not in _sheet("letters/datasets.yaml")["letters"]


def test_the_column_with_the_models_labels_is_taken(here: Path) -> None:
    _write(here / "letters.csv", [{**row, "sex": "mf"[int(row["nr"]) % 2]} for row in ROWS])
    _encoder("mine", "BertForSequenceClassification", "Granted", "Refused")
    _begin("mine")
    assert _sheet("letters/datasets.yaml")["letters"]["label"] == "decision"


def test_html_is_cleaned(here: Path) -> None:
    _write(
        here / "letters.csv", [{**row, "body": f"{row['body']} Salt &amp; oil."} for row in ROWS]
    )
    assert any("with HTML" in line for line in _begin("decide:fair"))
    assert _sheet("letters/datasets.yaml")["letters"]["clean"] == "html"


@pytest.mark.parametrize(
    ("texts", "model", "told"),
    [
        (None, None, "keys 'texts' and 'model': found neither"),
        ("letters.csv", None, "found no 'model'; expected a file of texts and a model"),
        ("letters.csv", "nowhere", "'nowhere'; expected a name in the models sheet, a folder"),
        ("nothing.csv", "decide:fair", "nothing.csv: found no such file"),
        ("numbers.csv", "decide:fair", "expected a column of texts"),
    ],
)
def test_what_is_missing_is_named(
    texts: str | None, model: str | None, told: str, here: Path
) -> None:
    _write(here / "numbers.csv", [{"a": "1", "b": "2"}])
    with pytest.raises(InputError, match=told):
        begin_study(texts, model, known=KNOWN, folder=Path("config"))
    assert not Path("config").exists()
