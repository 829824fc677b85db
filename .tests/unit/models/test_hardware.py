"""Models run first in half precision where that is fast, and only there."""

from pathlib import Path

import pytest
import torch
from hinter.models import hardware
from hinter.models.hardware import screening_dtype
from hinter.models.training import TrainingSettings
from hinter.models.training.trainer import new_classifier
from tiny_models import write_encoder

INTEL, AMD = "Intel Xeon", "AMD EPYC"


@pytest.mark.parametrize(
    ("processor", "avx512_bf16", "amx", "limit", "screening"),
    [
        (AMD, False, False, None, torch.float32),
        (AMD, True, False, None, torch.bfloat16),
        (AMD, True, False, "AVX512_CORE_BF16", torch.bfloat16),
        (AMD, True, False, "AVX512_CORE", torch.float32),
        (INTEL, True, False, None, torch.float32),
        (INTEL, True, True, None, torch.bfloat16),
        (INTEL, True, True, "AVX512_CORE_AMX", torch.bfloat16),
        (INTEL, True, True, "AVX512_CORE_BF16", torch.float32),
        (INTEL, True, True, "AVX2", torch.float32),
    ],
)
def test_a_processor_screens_in_bfloat16_where_it_is_faster_at_it(
    processor: str,
    avx512_bf16: bool,
    amx: bool,
    limit: str | None,
    screening: torch.dtype,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {"cpu_name": processor, "avx512_bf16": avx512_bf16, "amx_bf16": amx}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: known)
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    if limit:
        monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", limit)
    assert screening_dtype(torch.device("cpu"), torch.float32) == screening


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
    monkeypatch.setattr(hardware, "multiplies_bfloat16", lambda: fast)
    assert hardware.find_half(model) == expected
    assert model.training
    told = "deberta is trained in single precision" in caplog.text
    assert told == (architecture == "deberta")
