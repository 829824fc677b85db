from pathlib import Path

import pytest
import torch
from hinter.models.training import TrainingSettings, precision
from hinter.models.training.trainer import new_classifier
from tiny_models import write_encoder

SETTINGS = TrainingSettings(
    labels=["negative", "positive"],
    epochs=1,
    learning_rate=1e-3,
    batch_size=4,
    max_tokens=16,
    threads=1,
    seed=1,
)


@pytest.mark.parametrize(
    ("architecture", "fast", "expected"),
    [("bert", True, torch.bfloat16), ("bert", False, None), ("deberta", True, None)],
)
def test_an_encoder_is_trained_in_half_precision_where_device_and_model_allow_it(
    architecture: str,
    fast: bool,
    expected: torch.dtype | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    write_encoder(tmp_path, architecture, ["a review of a film"], positions=32)
    model = new_classifier(tmp_path, settings=SETTINGS).train()
    monkeypatch.setattr(precision, "multiplies_bfloat16", lambda: fast)
    assert precision.find_half(model) == expected
    assert model.training
    told = "deberta is trained in single precision" in caplog.text
    assert told == (architecture == "deberta")
