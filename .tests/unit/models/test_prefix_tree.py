"""Models run on trees of prompts."""

import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hinter.models.hardware import run_by_onednn
from hinter.models.prefix_tree import pasts_of, runs_as_tree, states_after, walk
from hypothesis import given
from hypothesis import strategies as st
from transformers import (
    AutoModelForCausalLM,
    BloomConfig,
    BloomForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
)

rows_of_tokens = st.lists(
    st.lists(st.integers(0, 2), min_size=1, max_size=30), min_size=1, max_size=25
)


@st.composite
def mutants(draw: st.DrawFn) -> list[list[int]]:
    """Rows that change a few tokens of a few originals, one of them cut short now and then."""
    rows = []
    for start in range(draw(st.integers(1, 4))):
        original = [start * 100 + n for n in range(draw(st.integers(1, 90)))]
        rows.append(original)
        for _ in range(draw(st.integers(0, 9))):
            row = list(original)
            for place in draw(st.sets(st.integers(0, len(row) - 1), max_size=3)):
                row[place] = draw(st.integers(10_000, 10_003))
            rows.append(row[: draw(st.integers(1, len(row)))])
    return draw(st.permutations(rows))


class Walked(NamedTuple):
    """What a walk told of all rows: their tokens, what each node saw, and how many nodes it had."""

    rows: dict[int, list[int]]
    seen: list[list[int]]
    depths: list[int]


def _walked(rows: list[list[int]], *, size: int) -> Walked:
    """Follow a walk as a model does, which holds the tokens that it was told to keep."""
    kept: list[int] = []
    ended: dict[int, list[int]] = {}
    seen, depths = [], []
    for chunk in walk(rows, size=size):
        assert 0 < len(chunk.tokens) <= size
        assert chunk.known == len(kept)
        held = np.array([*kept, *chunk.tokens])
        for end in chunk.ends:
            assert end.position not in ended
            assert end.columns[-1] >= chunk.known
            ended[end.position] = held[end.columns].tolist()
        seen += [held[sees].tolist() for sees in chunk.sees()]
        depths += chunk.depths
        kept = held[chunk.path].tolist()
    return Walked(ended, seen, depths)


@given(st.one_of(rows_of_tokens, mutants()), st.integers(1, 40))
def test_every_row_ends_once_and_every_node_sees_what_is_before_it(
    rows: list[list[int]], size: int
) -> None:
    found = _walked(rows, size=size)
    assert found.rows == dict(enumerate(rows))
    assert found.depths == [len(seen) - 1 for seen in found.seen]
    beginnings = {tuple(row[: depth + 1]) for row in rows for depth in range(len(row))}
    assert set(map(tuple, found.seen)) == beginnings


@given(st.one_of(rows_of_tokens, mutants()), st.integers(1, 40))
def test_no_beginning_is_computed_twice_but_for_the_ends_of_rows_that_are_the_same(
    rows: list[list[int]], size: int
) -> None:
    found = _walked(rows, size=size)
    beginnings = {tuple(row[: depth + 1]) for row in rows for depth in range(len(row))}
    same = len(rows) - len(set(map(tuple, rows)))
    assert len(found.seen) == len(beginnings) + same


SIZES = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "vocab_size": 99}
HEADS = {"num_attention_heads": 2, "num_key_value_heads": 2}


def _prompts() -> list[list[int]]:
    """Return prompts that begin alike, in part, some of them twice and one within another."""
    draw = random.Random(5)
    shown = draw.choices(range(90), k=20)
    prompts = []
    for _ in range(4):
        text = draw.choices(range(90), k=draw.randint(3, 60))
        prompts += [[*shown, *text], [*shown, *text], [*shown, *text[: len(text) // 2]]]
        for place in (0, len(text) // 2, len(text) - 1):
            prompts.append([*shown, *text[:place], 95, *text[place + 1 :]])
    return draw.sample(prompts, k=len(prompts))


@pytest.mark.parametrize(
    ("attention", "size"),
    [
        *(("sdpa", size) for size in (1, 7, 50, 1000)),
        ("eager", 7),
        *(pytest.param("eager", size, marks=pytest.mark.release) for size in (1, 50, 1000)),
    ],
)
def test_states_on_a_tree_are_those_after_whole_prompts(
    llama: Path, attention: str, size: int
) -> None:
    model = AutoModelForCausalLM.from_pretrained(llama, attn_implementation=attention).eval()
    run_by_onednn(model)
    prompts, found = _prompts(), dict[int, torch.Tensor]()
    for positions, states in states_after(model, prompts, size=size):
        found |= dict(zip(positions, states, strict=True))
    assert sorted(found) == list(range(len(prompts)))
    with torch.inference_mode():
        for position, state in found.items():
            alone = model.base_model(torch.tensor([prompts[position]]))[0][0, -1]
            assert torch.allclose(state, alone, atol=1e-5)


@pytest.mark.parametrize("size", [7, 1000])
def test_keys_and_values_on_a_tree_are_those_of_whole_prompts(llama: Path, size: int) -> None:
    model = AutoModelForCausalLM.from_pretrained(llama).eval()
    prompts, positions = _prompts(), []
    for past in pasts_of(model, prompts, size=size):
        positions.append(past.position)
        row = torch.tensor([prompts[past.position]])
        with torch.inference_mode():
            alone = model.base_model(row, use_cache=True).past_key_values
        for layer, expected in zip(past.kept.layers, alone.layers, strict=True):
            assert torch.allclose(layer.keys, expected.keys, atol=1e-5)
            assert torch.allclose(layer.values, expected.values, atol=1e-5)
    assert sorted(positions) == list(range(len(prompts)))


def _mistral(window: int | None) -> PreTrainedModel:
    return MistralForCausalLM(MistralConfig(**SIZES, **HEADS, sliding_window=window))


def _gpt2() -> PreTrainedModel:
    return GPT2LMHeadModel(GPT2Config(vocab_size=99, n_embd=32, n_layer=2, n_head=2))


def _bloom() -> PreTrainedModel:
    return BloomForCausalLM(BloomConfig(vocab_size=99, hidden_size=32, n_layer=2, n_head=2))


@pytest.mark.parametrize(
    ("model", "runs"),
    [
        pytest.param(lambda: _mistral(None), True, id="a window as large as the context"),
        pytest.param(lambda: _mistral(8), False, id="a window that slides"),
        pytest.param(_gpt2, True, id="learned places"),
        pytest.param(_bloom, False, id="no places"),
    ],
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_models_are_known_that_can_be_run_on_a_tree(
    model: object, runs: bool, dtype: torch.dtype
) -> None:
    assert callable(model)
    torch.manual_seed(1)
    assert runs_as_tree(model().to(dtype).eval()) is runs


def test_a_model_that_does_not_look_at_the_mask_is_not_run_on_a_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch.manual_seed(1)
    model = _mistral(None).eval()
    forward = model.model.forward
    monkeypatch.setattr(
        model.model,
        "forward",
        lambda ids, position_ids=None, attention_mask=None, **given: forward(
            ids, position_ids=position_ids, **given
        ),
    )
    assert not runs_as_tree(model)
