"""The paper's study rehearsed: every rule of it, whole, with tiny models and a stand-in."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from runs import copy_project, plan_of

# One whose texts have several labels and one whose texts are files: each dataset's own form is
# tested apart, and `make rehearsal` takes all five.
DATASETS = ["ecthr_a", "imdb_50k"]
# Four encoders on the first, and two prompted models on both.
RUNS = 8
FORMS = (".csv", ".md", ".tex", ".html")


@pytest.fixture(scope="module")
def planned(bare: Path, forks: dict[str, str]) -> str:
    """Return what a dry run tells of the paper's study."""
    return plan_of(bare, config="paper", forks=forks)


@pytest.fixture(scope="module")
def rehearsed(
    root: Path, resources: Path, checks: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Rehearse the study; return its folder."""
    folder = tmp_path_factory.mktemp("rehearsal") / "hinter"
    copy_project(folder, root=root)
    shutil.copytree(resources, folder / "resources", copy_function=os.link)
    rehearsal = folder / "studies" / "rehearsal"
    shutil.copytree(checks, rehearsal / "store" / "checks")
    chosen = ("--config", f"datasets=[{', '.join(DATASETS)}]")
    done = subprocess.run(
        [sys.executable, "data/rehearsal/rehearse.py", "--cores", "1", *chosen],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "Done. A finished study leaves:" in done.stdout
    return rehearsal


def test_every_rule_of_the_papers_study_is_run(planned: str, rehearsed: Path) -> None:
    rules = set(re.findall(r"^ *(?:local)?rule (\w+):$", planned, flags=re.MULTILINE)) - {"all"}
    logs = {path.stem for path in (rehearsed / "results" / "logs").iterdir()}
    # Models and texts are there, and so may be all other resources.
    assert logs - {"fetch_resource"} == rules - {"fetch_resource"}


def test_all_tables_and_figures_are_made(planned: str, rehearsed: Path) -> None:
    tables = set(re.findall(r"results/(\w+/\w+)\.tex", planned))
    assert len(tables) > 25
    for table in tables:
        assert all((rehearsed / "results" / f"{table}{form}").exists() for form in FORMS), table
    figures = set(re.findall(r"figures/(\w+)\.pdf", planned))
    assert len(figures) > 8
    for name in figures:
        files = [rehearsed / "figures" / f"{name}{form}" for form in (".pdf", ".png")]
        assert all(file.exists() for file in files), name
    assert "Table 2" in (rehearsed / "report.html").read_text(encoding="utf-8")


def test_every_model_that_answers_has_rates(rehearsed: Path) -> None:
    rates = pd.read_csv(rehearsed / "results" / "tables" / "table2_bias_rates.csv")
    runs = {
        (path.parent.name, path.stem)
        for path in (rehearsed / "results" / "verdicts").glob("*/*.parquet")
    }
    assert len(runs) == RUNS
    orders = rates[rates["n"] > 0].groupby(["model", "dataset"])["order"].agg(set)
    # The random words of this language model name labels of other datasets alone.
    assert set(orders.index) == {run for run in runs if run[0] != "llama2"}
    assert all("2" in map(str, found) for found in orders)


def test_the_limits_are_kept(root: Path, rehearsed: Path) -> None:
    results = rehearsed / "results"
    config = yaml.safe_load((root / "config" / "rehearsal.yaml").read_text(encoding="utf-8"))
    limit_of = {model: limit for limit in config["limits"] for model in limit["models"]}
    limited = list((results / "suites").glob("*/*.parquet"))
    assert len(limited) == RUNS
    for path in limited:
        limit = limit_of[path.parent.name]
        mutants = pq.read_table(path).to_pandas()
        whole = pq.read_table(results / "suites" / path.name).to_pandas()
        assert 0 < mutants["valid"].sum() <= limit["tests"] < whole["valid"].sum()
        predicted = results / "predictions" / path.parent.name / path.name
        corpus = pq.read_table(results / "corpora" / path.name).to_pandas()
        held_out = set(corpus.loc[corpus["split"] == "held_out", "original_id"])
        asked = set(pq.read_table(predicted)["input_id"].to_pylist())
        assert len(held_out & asked) == limit.get("held_out", len(held_out))


def test_the_stand_in_answers_as_examples_do_and_alike_each_time(rehearsed: Path) -> None:
    tables = rehearsed / "results" / "tables"
    answers = pd.read_csv(tables / "answers.csv")
    asked = answers[answers["model"] == "gpt-3.5"]
    assert (asked["ok"] > 0).all()
    assert not asked[["refused", "unparsed"]].to_numpy().any()
    noise = pd.read_csv(tables / "noise_floor.csv")
    assert set(noise["dataset"]) >= set(asked["dataset"])
    assert (noise["repeats"] > 0).all() and not noise["flips"].any()
