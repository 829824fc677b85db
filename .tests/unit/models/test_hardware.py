"""Models run first in half precision where that is fast, and only there."""

import copy
from pathlib import Path

import pytest
import torch
from hinter.models import hardware
from hinter.models.hardware import run_by_onednn, screening_dtype, train_by_onednn
from hinter.models.training import TrainingSettings
from hinter.models.training.task import new_classifier
from tiny_models import write_encoder
from transformers import AutoModelForSequenceClassification, PreTrainedModel

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


pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def model(resources: Path) -> PreTrainedModel:
    torch.manual_seed(1)
    load = AutoModelForSequenceClassification.from_pretrained
    return load(resources / "all_minilm_l6_v2", dtype=torch.float32).eval()


@pytest.fixture
def ids() -> torch.Tensor:
    return torch.randint(1000, 20000, (5, 40), generator=torch.Generator().manual_seed(2))


def test_layers_that_are_run_find_what_torch_finds(
    model: PreTrainedModel, ids: torch.Tensor
) -> None:
    other = run_by_onednn(copy.deepcopy(model))
    kinds = {type(layer).__name__ for layer in other.modules()}
    assert "_Run" in kinds
    with torch.inference_mode():
        assert torch.allclose(other(ids).logits, model(ids).logits, atol=1e-5)


def test_layers_that_are_trained_have_the_gradients_of_torch(
    model: PreTrainedModel, ids: torch.Tensor
) -> None:
    plain, other = copy.deepcopy(model), train_by_onednn(copy.deepcopy(model))
    assert other.state_dict().keys() == plain.state_dict().keys()
    losses = []
    for one in (plain, other):
        losses.append(one(input_ids=ids, labels=torch.tensor([0, 1, 1, 0, 1])).loss)
        losses[-1].backward()
    assert torch.allclose(*losses, atol=1e-6)
    pairs = zip(plain.named_parameters(), other.parameters(), strict=True)
    for (name, parameter), found in pairs:
        assert (parameter.grad is None) == (found.grad is None), name
        if parameter.grad is not None:
            assert torch.allclose(parameter.grad, found.grad, atol=1e-5), name


def test_half_precision_is_left_alone(model: PreTrainedModel) -> None:
    half = copy.deepcopy(model).to(torch.bfloat16)
    for changed in (run_by_onednn(half), train_by_onednn(half)):
        kinds = {type(layer) for layer in changed.modules()}
        assert torch.nn.Linear in kinds
        assert not any("mkldnn" in kind.__module__ or "onednn" in kind.__module__ for kind in kinds)
