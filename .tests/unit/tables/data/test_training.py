"""Scores of fine-tuned encoders beside the published ones."""

import csv
from pathlib import Path

import pytest
from hinter.models.training.task import Scores, write_scores
from hinter.tables.data.training import tabulate_training

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[4]
PUBLISHED = ROOT / "data" / "lexglue" / "published_scores.csv"


def test_scores_stand_beside_the_published_ones(tmp_path: Path) -> None:
    scores = {"validation": Scores(7, 0.5, 2 / 3, 0.25), "held_out": Scores(9, 1.0, 1.0, 1.0)}
    paths = []
    for name in ("legal-bert-base-uncased", None):
        paths.append(tmp_path / f"{name}.csv")
        write_scores(scores, paths[-1], model=f"m {name}", dataset="scotus", published_as=name)
    rows = tabulate_training(paths, published_scores=PUBLISHED).set_index(["model", "split"])
    assert rows.loc["m None", "published_micro_f1"].isna().all()
    assert rows.loc[("m None", "validation"), "micro_f1"] == 0.666667
    own, published = ["micro_f1", "macro_f1"], ["published_micro_f1", "published_macro_f1"]
    held_out = rows.loc[("m legal-bert-base-uncased", "held_out")]
    assert held_out[own + published].tolist() == [1.0, 1.0, 0.764, 0.665]
    assert rows.loc[("m legal-bert-base-uncased", "validation"), published].isna().all()


def test_the_published_scores_name_every_architecture_and_task() -> None:
    rows = list(csv.DictReader(PUBLISHED.read_text(encoding="utf-8").splitlines()))
    found = {(row["model"], row["dataset"]) for row in rows}
    names = ["bert-base-uncased", "deberta-base", "legal-bert-base-uncased", "roberta-base"]
    assert found == {
        (name, task) for name in names for task in ("ecthr_a", "eurlex", "ledgar", "scotus")
    }
    assert all(0 < float(row["macro_f1"]) < float(row["micro_f1"]) < 1 for row in rows)
