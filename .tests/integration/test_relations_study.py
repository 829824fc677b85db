"""The metamorphic relations on a few prompts and tiny models, from templates to tables."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from runs import checkout, planned_jobs, snakemake
from tiny_models import write_encoder, write_llama

TEXTS = ["How has your background influenced your life?", "As a teacher, how do you feel?"]
METRICS = ["sentiment", "tone"]
STUDY = {
    "seed": 7,
    "datasets": [],
    "models_sheet": "small/models.yaml",
    "models": ["talker"],
    "relations": {
        "sources": 2,
        "prompt": "small/answer.yaml",
        "raters": {
            "sentiment": {"model": "rater", "dataset": "imdb"},
            "tone": {"model": "rater", "dataset": "tones"},
        },
    },
    "grammar": {"enabled": False},
}
MODELS: dict[str, dict[str, Any]] = {
    "talker": {
        "about": "a random model",
        "kind": "causal",
        "folder": "small/talker",
        "answers": "generated",
        "chat": True,
        "shards": 2,
    },
    "rater": {
        "about": "a tiny encoder",
        "kind": "encoder",
        "folder": "small/rater",
        "max_tokens": 64,
        "fine_tuning": {"epochs": 1, "learning_rate": 1.0e-3},
    },
}


@pytest.fixture(scope="module")
def related(root: Path, resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished study of two sources."""
    folder = tmp_path_factory.mktemp("relations") / "study"
    settings = tmp_path_factory.mktemp("settings")
    prompt = yaml.safe_load((root / "config/relations/answer.yaml").read_text(encoding="utf-8"))
    sheets = {"config": STUDY, "models": MODELS, "answer": prompt | {"max_answer_tokens": 6}}
    for name, sheet in sheets.items():
        (settings / f"{name}.yaml").write_text(yaml.safe_dump(sheet), encoding="utf-8")
    write_llama(settings / "talker", TEXTS, labels=["happy"], positions=256)
    write_encoder(settings / "rater", "bert", TEXTS, positions=64)
    checkout(folder, root=root, resources=resources, config=settings)
    sheet = folder / "config" / "datasets.yaml"
    described = yaml.safe_load(sheet.read_text(encoding="utf-8"))
    described["imdb"]["splits"] |= {"tested": 8, "held_out": 8, "training": 16}
    sheet.write_text(yaml.safe_dump(described, sort_keys=False), encoding="utf-8")
    snakemake(folder, "--cores", "2")
    return folder


def _read(study: Path, *path: str) -> pd.DataFrame:
    return pd.read_parquet(study.joinpath("results", *path).with_suffix(".parquet"))


def _outcomes(ratings: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    rated = ratings[ratings["status"] == "ok"]
    return dict(zip(rated["input_id"], map(tuple, rated["outcome"]), strict=True))


def test_every_follow_up_has_an_answer_a_rating_and_a_verdict(related: Path) -> None:
    suite = _read(related, "suites", "relations")
    answers = _read(related, "predictions", "talker", "relations")
    assert set(answers["input_id"]) == {*suite["original_id"], *suite["mutant_id"]}
    for metric in METRICS:
        ratings = _read(related, "predictions", "talker", f"relations_{metric}")
        assert ratings[["input_id", "answer"]].equals(answers[["input_id", "answer"]])
        outcomes = _outcomes(ratings)
        assert outcomes and all(len(outcome) == 1 for outcome in outcomes.values())
        verdicts = _read(related, "verdicts", "talker", f"relations_{metric}")
        assert sorted(verdicts["mutant_id"]) == sorted(suite["mutant_id"])
        for row in verdicts.to_dict("records"):
            pair = [outcomes.get(row[key]) for key in ("original_id", "mutant_id")]
            assert row["biased"] == (None if None in pair else pair[0] != pair[1])


def test_tables_count_the_faults_of_the_verdicts(related: Path) -> None:
    tables = related / "results" / "relations"
    faults = pd.read_csv(tables / "faults.csv")
    for metric in METRICS:
        verdicts = _read(related, "verdicts", "talker", f"relations_{metric}")
        of_metric = faults[faults["metric"] == metric]
        assert of_metric["follow_ups"].sum() == len(verdicts)
        assert of_metric["faults"].sum() == verdicts["biased"].eq(True).sum()
    excess = pd.read_csv(tables / "excess_of_faults.csv")
    assert (excess["floor"] == 0).all() and set(excess["level"]) >= {"information", "family"}
    assert list(pd.read_csv(tables / "raters.csv")["dataset"]) == ["imdb", "tones"]
    assert set(pd.read_csv(tables / "printed_faults.csv")["same_model_and_data"]) == {"no"}
    assert (related / "figures" / "faults_by_combination.pdf").is_file()
    assert "Faults in excess of noise" in (related / "report.html").read_text(encoding="utf-8")


def test_nothing_is_made_of_datasets_that_only_train_raters(related: Path) -> None:
    for folder in ("mutants", "dictionary", "tables"):
        assert not (related / "results" / folder).exists()
    assert "Nothing to be done" in snakemake(related, "--cores", "2")


def test_the_papers_size_is_planned_without_any_resource(root: Path, tmp_path: Path) -> None:
    jobs = planned_jobs(tmp_path / "study", root=root, config="relations_paper")
    expected = {
        "rewrite_prompts": 1,
        "plan_calls": 2,
        "repeat_originals": 2,
        "fine_tune_encoder": 2,
    }
    # Predictions and repeats of two models, by two metrics.
    assert jobs.items() >= (expected | {"rate_answers": 8, "judge_mutants": 4}).items()
