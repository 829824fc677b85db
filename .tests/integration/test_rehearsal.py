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
from runs import copy_project

PAPER, REHEARSAL = "config/paper.yaml", "config/rehearsal.yaml"
# Four encoders on four datasets, and two prompted models on five.
RUNS = 26


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def rules(root: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the rules of a dry run of the paper's study."""
    folder = tmp_path_factory.mktemp("paper") / "study"
    copy_project(folder, root=root)
    told = _run(folder, "-m", "snakemake", "--dry-run", "--configfile", PAPER)
    return set(re.findall(r"^(\w+) +\d+$", told, flags=re.MULTILINE)) - {"all", "total"}


@pytest.fixture(scope="module")
def folder(
    root: Path,
    resources: Path,
    checks: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Rehearse the study; return the project's folder."""
    folder = tmp_path_factory.mktemp("rehearsal") / "study"
    copy_project(folder, root=root)
    shutil.copytree(resources, folder / "resources", copy_function=os.link)
    shutil.copytree(checks, folder / "studies" / "rehearsal" / "store" / "checks")
    told = _run(folder, "data/rehearsal/rehearse.py", "--cores", "2")
    assert "Done. A finished study leaves:" in told
    return folder


@pytest.fixture(scope="module")
def rehearsed(folder: Path) -> Path:
    return folder / "studies" / "rehearsal"


def test_every_rule_of_the_papers_study_is_run(rules: set[str], rehearsed: Path) -> None:
    logs = {path.stem for path in (rehearsed / "results" / "logs").iterdir()}
    # Models and texts are there, and so may be all other resources.
    assert logs - {"fetch_resource"} == rules - {"fetch_resource"}


def test_all_tables_and_figures_are_made(rules: set[str], rehearsed: Path) -> None:
    for rule in rules:
        kind, _, name = rule.partition("_")
        if kind == "tabulate":
            (table,) = (rehearsed / "results").glob(f"*/{name}.csv")
            assert all(table.with_suffix(end).exists() for end in (".md", ".tex", ".html"))
        elif kind == "draw":
            assert all(
                (rehearsed / "figures" / f"{name}{end}").exists() for end in (".pdf", ".png")
            )
    assert "Table 2" in (rehearsed / "report.html").read_text(encoding="utf-8")


def test_every_model_that_answers_has_rates(rehearsed: Path) -> None:
    rates = pd.read_csv(rehearsed / "results" / "tables" / "table2_bias_rates.csv")
    verdicts = rehearsed / "results" / "verdicts"
    runs = {path.relative_to(verdicts).with_suffix("") for path in verdicts.glob("*/*.parquet")}
    assert len(runs) == RUNS
    told = rates[rates["n"] > 0].groupby(["model", "dataset"])["order"].agg(set)
    # Random words of a language model name no label.
    assert {Path(*run) for run in told.index} >= {
        run for run in runs if run.parent.name != "llama2"
    }
    assert all("2" in map(str, orders) for orders in told)


def test_the_limits_are_kept(root: Path, rehearsed: Path) -> None:
    limits = yaml.safe_load((root / REHEARSAL).read_text(encoding="utf-8"))["limits"]
    tests = {model: limit["tests"] for limit in limits for model in limit["models"]}
    held_out = {model: limit.get("held_out") for limit in limits for model in limit["models"]}
    for path in (rehearsed / "results" / "suites").glob("*/*.parquet"):
        model, dataset = path.parent.name, path.stem
        mutants = pq.read_table(path).to_pandas()
        whole = pq.read_table(rehearsed / "results" / "suites" / f"{dataset}.parquet").to_pandas()
        assert 0 < mutants["valid"].sum() <= tests[model] < whole["valid"].sum()
        predicted = pq.read_table(
            rehearsed / "results" / "predictions" / model / f"{dataset}.parquet"
        )
        corpus = pq.read_table(rehearsed / "results" / "corpora" / f"{dataset}.parquet").to_pandas()
        others = set(corpus.loc[corpus["split"] == "held_out", "original_id"])
        others -= set(mutants["original_id"])
        seen = others & set(predicted["input_id"].to_pylist())
        assert len(seen) <= (held_out[model] or len(others))


def test_the_stand_in_answers_as_examples_do_and_alike_each_time(rehearsed: Path) -> None:
    answers = pd.read_csv(rehearsed / "results" / "tables" / "answers.csv")
    asked = answers[answers["model"] == "gpt-3.5"]
    assert (asked["ok"] > 0).all()
    assert not asked[["refused", "unparsed"]].to_numpy().any()
    noise = pd.read_csv(rehearsed / "results" / "tables" / "noise_floor.csv")
    assert set(noise["dataset"]) >= set(asked["dataset"])
    assert (noise["repeats"] > 0).all() and not noise["flips"].any()
