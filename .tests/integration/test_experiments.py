"""The short paper's three experiments, planned: each is one configuration file."""

from pathlib import Path

import pytest
from runs import planned_jobs

FALSE_POSITIVES, NOISE = "tabulate_figure7_false_positives", "tabulate_noise_floor"


@pytest.mark.parametrize(
    ("name", "has", "lacks"),
    [
        ("baseline", {"approve_plan", "repeat_originals", NOISE}, {FALSE_POSITIVES}),
        ("ablation", {FALSE_POSITIVES, "draw_figure8_discarded"}, {"match_controls"}),
        ("age_legal", {"fine_tune_encoder", "tabulate_groups_bias"}, {"match_controls", NOISE}),
    ],
)
def test_an_experiment_is_planned_without_any_resource(
    name: str, has: set[str], lacks: set[str], root: Path, tmp_path: Path
) -> None:
    planned = planned_jobs(tmp_path / "study", root=root, config=name).keys()
    assert has <= planned
    assert not lacks & planned
