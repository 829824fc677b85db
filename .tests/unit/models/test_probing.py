"""What a model finds in texts together is compared with what it finds in each alone."""

import numpy as np
import pytest
import torch
from hinter.errors import InputError
from hinter.models.batching import BatchSize
from hinter.models.probing import Probe, reported_if_failing
from transformers import GPT2Config, GPT2LMHeadModel

ALONE = np.array([[1.0, 2.0], [3.0, 4.0]])


@pytest.fixture(scope="module")
def model() -> GPT2LMHeadModel:
    return GPT2LMHeadModel(GPT2Config(vocab_size=9, n_embd=4, n_layer=1, n_head=1))


@pytest.mark.parametrize(
    ("together", "tokens"),
    [
        (ALONE + 1e-6, 500),
        (ALONE + np.diag([0, 0.01]), 1),
        (np.ones((1, 3)), 1),
        (np.full((2, 2), np.nan), 500),
    ],
)
def test_texts_are_run_one_at_a_time_where_a_batch_changes_one(
    together: np.ndarray, tokens: int, model: GPT2LMHeadModel
) -> None:
    size = BatchSize(500)
    Probe(model, lambda: ALONE).settle(lambda: together, size=size)
    assert size.tokens == tokens


def test_a_model_that_finds_something_else_each_time_is_refused(model: GPT2LMHeadModel) -> None:
    found = iter([ALONE, ALONE + 1])
    with pytest.raises(InputError, match="a model \\(gpt2\\) with a different result"):
        Probe(model, lambda: next(found))


def test_whatever_a_model_raises_is_told_in_a_line(model: GPT2LMHeadModel) -> None:
    with (
        pytest.raises(
            InputError, match=r"found a model .gpt2. that fails: IndexError, index"
        ) as told,
        reported_if_failing(model),
    ):
        model(torch.tensor([[99]]))
    assert "\n" not in str(told.value)
