"""A study of a model that answers nothing that can be understood: finished, and with warnings."""

import shutil
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
import yaml
from faults import FaultyProxy, completion, running
from runs import checkout, snakemake
from table_files import fractions_among_counts

HERE = Path(__file__).resolve().parent
MODEL = {
    "about": "a model that says the same to everything, and no label",
    "kind": "endpoint",
    "model": "smollm2",
    "key_variable": "SMALL_STUDY_KEY",
    "tokenizer": "cl100k_base",
    "context_tokens": 320,
}
GARBAGE = completion(message={"content": "lorem ipsum"}, finish_reason="stop")


@pytest.fixture(scope="module")
def folder(
    root: Path, resources: Path, checks: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    place = tmp_path_factory.mktemp("useless") / "study"
    checkout(place, root=root, resources=resources, config=HERE / "endpoint")
    shutil.copytree(checks, place / "store" / "checks")
    settings = place / "small" / "config.yaml"
    config = yaml.safe_load(settings.read_text())
    config["suite"]["discarded"] = True
    settings.write_text(yaml.safe_dump(config))
    return place


@pytest.fixture(scope="module")
def told(folder: Path) -> str:
    """Run the study and return what it printed."""
    with running(FaultyProxy(faults={"garbage": GARBAGE})) as server:
        models = {"tiny": MODEL | {"base_url": server.url}}
        (folder / "small" / "models.yaml").write_text(yaml.safe_dump(models))
        return snakemake(folder, "--cores", "1", environment={"SMALL_STUDY_KEY": "none"})


def test_a_study_of_a_useless_model_has_its_report_and_warns(told: str, folder: Path) -> None:
    warnings = pd.read_csv(folder / "results/tables/warnings.csv")
    assert set(warnings["warning"]) == {"no_verdict", "no_outcome", "accuracy"}
    report = unescape((folder / "report.html").read_text(encoding="utf-8"))
    for warning in warnings["told"]:
        assert f"<li>{warning}</li>" in report
        assert f"Warning: {warning}" in told
        assert f"Warning: {warning}" in (folder / "results/tables/table2_bias_rates.md").read_text()


def test_its_tables_count_nothing(told: str, folder: Path) -> None:
    tables = {path.stem: path for path in (folder / "results/tables").glob("*.csv")}
    assert len(tables) >= 18
    for path in tables.values():
        assert fractions_among_counts(path) == []
    (rates,) = pd.read_csv(tables["table2_bias_rates"]).to_dict("records")
    assert rates["n"] == 0
    assert pd.isna(rates["bias_rate"])
    assert pd.read_csv(tables["groups_bias"]).empty
    assert len(list((folder / "figures").glob("*.pdf"))) >= 5
