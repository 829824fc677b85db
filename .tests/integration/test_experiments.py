"""The smaller experiments, planned: each is one configuration file."""

import shutil
from pathlib import Path

from runs import copy_project, plan_of, snakemake
from tries import alike

FALSE_POSITIVES, NOISE = "figure7_false_positives.csv", "noise_floor.csv"


@alike(
    ("name", "has", "lacks"),
    [
        ("baseline", {"approve_plan", "repeat_originals", NOISE}, {FALSE_POSITIVES}),
        ("coherent", {"match_controls", "names.csv", FALSE_POSITIVES}, {NOISE}),
    ],
    [
        ("ablation", {FALSE_POSITIVES, "figure8_discarded.pdf"}, {"match_controls"}),
        ("age_legal", {"fine_tune_encoder", "groups_bias.csv"}, {"match_controls", NOISE}),
    ],
)
def test_an_experiment_is_planned_without_any_resource(
    name: str, has: set[str], lacks: set[str], bare: Path, forks: dict[str, str]
) -> None:
    planned = plan_of(bare, config=name, forks=forks)
    assert [part for part in has if part not in planned] == []
    assert [part for part in lacks if part in planned] == []


def test_a_study_of_own_texts_makes_what_is_of_use_to_its_user(
    root: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "study"
    copy_project(folder, root=root)
    texts = [f"The doctor met a nurse on day {day},{day % 2}" for day in range(20)]
    (folder / "its_own_texts.csv").write_text("\n".join(["text,label", *texts]), "utf-8")
    (folder / "decide.py").write_text(
        "def fair(texts):\n    return ['1' for _ in texts]\n", "utf-8"
    )
    (folder / "small").mkdir()
    shutil.copy(folder / "config" / "config.yaml", folder / "small")
    begun = "texts=its_own_texts.csv", "model=decide:fair"
    snakemake(folder, "--cores", "1", "init", "--config", *begun, environment=forks)
    own = "--configfile", "config/its_own_texts.yaml"
    planned = snakemake(folder, "--dry-run", *own, environment=forks)
    assert "report.html" in planned and "contrasts.csv" in planned
    assert "paper" not in planned and "ro-crate-metadata.json" not in planned
    asked = snakemake(folder, "--dry-run", "crate", *own, environment=forks)
    assert "ro-crate-metadata.json" in asked
