"""What the study of the mitigation adds to its training texts, and for which model."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import read_config
from hinter.study import Study
from hinter.study.targets import check_mitigation

ROOT = Path(__file__).resolve().parents[3]


def _read(*names: str) -> Study:
    """Return the study of these sheets, of which later ones replace keys."""
    sheet: dict[str, Any] = {}
    for name in names:
        sheet |= yaml.safe_load(Path(f"config/{name}.yaml").read_text(encoding="utf-8"))
    return Study(read_config(sheet))


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.chdir(ROOT)
    return _read("config", "mitigation")


def test_only_models_with_augment_read_added_texts(study: Study) -> None:
    assert study.augmentation("minilm") is None
    for name, texts in (("minilm-augmented", "counterfactuals"), ("minilm-repeated", "originals")):
        assert study.augmenting(name)["texts"] == texts
        assert study.augmenting(name)["attributes"] == study.config.attributes


def test_models_differ_in_their_added_texts_alone(study: Study) -> None:
    trained = [study.training(name) for name in study.models]
    assert trained == [trained[0]] * 3
    check_mitigation(study.config, models=study.models, runs=study.runs())


def test_mutants_are_made_by_the_rules_and_checked_as_those_of_the_default_study(
    study: Study,
) -> None:
    default = _read("config")
    assert study.mutation() == default.mutation()
    assert study.config.invariant == default.config.invariant
    [describing] = study.mutation()
    assert describing["operator"] == "describe"
    assert describing["mentions"]
