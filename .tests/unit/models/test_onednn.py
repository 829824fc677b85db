"""Linear layers by oneDNN: what they find, and their gradients."""

import copy
from pathlib import Path

import pytest
import torch
from hinter.models.onednn import run_by_onednn, train_by_onednn
from transformers import AutoModelForSequenceClassification, PreTrainedModel

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
