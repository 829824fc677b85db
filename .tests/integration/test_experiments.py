"""The smaller experiments, planned: each is one configuration file."""

from pathlib import Path

import pytest
from runs import plan_of

FALSE_POSITIVES, NOISE = "figure7_false_positives.csv", "noise_floor.csv"


@pytest.mark.parametrize(
    ("name", "has", "lacks"),
    [
        ("baseline", {"approve_plan", "repeat_originals", NOISE}, {FALSE_POSITIVES}),
        ("ablation", {FALSE_POSITIVES, "figure8_discarded.pdf"}, {"match_controls"}),
        ("coherent", {"match_controls", "names.csv", FALSE_POSITIVES}, {NOISE}),
        ("age_legal", {"fine_tune_encoder", "groups_bias.csv"}, {"match_controls", NOISE}),
    ],
)
def test_an_experiment_is_planned_without_any_resource(
    name: str, has: set[str], lacks: set[str], root: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    planned = plan_of(tmp_path / "study", root=root, config=name, forks=forks)
    assert [part for part in has if part not in planned] == []
    assert [part for part in lacks if part in planned] == []
