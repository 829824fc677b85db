"""Batches fit the memory of the device: its size and its end change no outcome."""

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from answering import LABELS, answers_of
from hinter.errors import InputError
from hinter.models import encoder as encoder_module
from hinter.models import generating as generating_module
from hinter.models import token_scores as token_scores_module
from hinter.models.batching import (
    BatchSize,
    Probe,
    as_batch,
    batches_by_length,
    reported_if_failing,
    size_batches,
    token_bytes,
    within_memory,
)
from hinter.models.encoder import Encoder
from hinter.models.generating import GeneratingModel
from hinter.models.token_scores import TokenScores
from tiny import SIZES, WORDS, open_encoder, open_generating
from transformers import (
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
)
from tries import alike

pytestmark = pytest.mark.usefixtures("frozen")

CPU = torch.device("cpu")


def _random_texts(count: int, *, seed: int) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, 40))) for _ in range(count)]


def _with_memory(function: Callable[..., Any], *, tokens: int, failed: list[int]) -> Any:
    """Return a method that has memory for batches of some tokens only."""

    def limited(self: Any, batch: Any, *given: Any, **settings: Any) -> Any:
        if batch.ids.numel() > tokens:
            failed.append(batch.ids.numel())
            raise torch.OutOfMemoryError("CUDA out of memory")
        return function(self, batch, *given, **settings)

    return limited


@pytest.fixture(scope="module")
def bert(resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bert")
    torch.manual_seed(1)
    config = BertConfig(**SIZES, id2label=dict(enumerate(LABELS)), initializer_range=0.5)
    BertForSequenceClassification(config).save_pretrained(folder)
    AutoTokenizer.from_pretrained(resources / "all_minilm_l6_v2").save_pretrained(folder)
    return folder


def _encoder(folder: Path, **settings: Any) -> Encoder:
    return open_encoder(folder, labels=LABELS, **({"batch_tokens": 600} | settings))


def test_batches_are_as_large_as_the_free_memory_allows(bert: Path) -> None:
    model = BertForSequenceClassification.from_pretrained(bert)
    room = {"much": 10**12, "little": 100 * token_bytes(model), "none": 0}
    sizes = {
        name: size_batches(500, model=model, free=lambda _, free=free: free).tokens
        for name, free in room.items()
    }
    assert sizes == {"much": 500, "little": 80, "none": 1}
    assert size_batches(500, model=model).tokens == 500
    half = BertForSequenceClassification.from_pretrained(bert, dtype=torch.float16)
    assert 2 * token_bytes(half) == token_bytes(model)


def test_a_token_of_llama_2_takes_at_least_its_keys_and_values() -> None:
    config = LlamaConfig(hidden_size=4096, intermediate_size=11008, num_hidden_layers=32)
    with torch.device("meta"):
        model = LlamaForCausalLM(config).to(torch.float16)
    assert 512 * 1024 < token_bytes(model) < 1024 * 1024


def test_all_rows_are_computed_once_in_halves_of_halves() -> None:
    rows = [[1] * length for length in random.Random(1).choices(range(1, 30), k=40)]
    size, tried = BatchSize(300), []

    def compute(batch: Any) -> list[int]:
        tried.append(batch.ids.numel())
        if batch.ids.numel() > 40:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return batch.lengths.tolist()

    found = {}
    for batch in batches_by_length(rows, size=size, device=CPU):
        for part, lengths in within_memory(batch, compute, size=size):
            assert not found.keys() & set(part.positions)
            found |= dict(zip(part.positions, lengths, strict=True))
    assert found == {position: len(row) for position, row in enumerate(rows)}
    assert max(tried) > 200
    assert 18 <= size.tokens <= 75
    # Once batches are small enough, memory does not run out again.
    assert max(tried[len(tried) // 2 :]) <= 40


def test_a_text_that_does_not_fit_alone_is_refused() -> None:
    def compute(_: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    batch = as_batch([0, 1], [[1] * 70, [1] * 60], device=CPU)
    with pytest.raises(InputError, match="found a text of 70 tokens, for which the GPU has too"):
        list(within_memory(batch, compute, size=BatchSize(200)))


@alike("dtype", ["float32"], ["float16"])
@alike("seed", [0], [1, 2])
def test_an_encoder_out_of_memory_answers_alike(
    dtype: str, seed: int, bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, failed = _random_texts(60, seed=seed), list[int]()
    scores = dtype == "float32"
    expected = answers_of(_encoder(bert, dtype=dtype, scores=scores), texts)
    assert len(set(expected)) > 1
    limited = _with_memory(Encoder._decided, tokens=90, failed=failed)
    monkeypatch.setattr(Encoder, "_decided", limited)
    assert answers_of(_encoder(bert, dtype=dtype, scores=scores), texts) == expected
    assert failed


def test_an_encoder_with_little_memory_answers_alike(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = _random_texts(40, seed=9)
    expected = answers_of(_encoder(bert), texts)
    little = partial(size_batches, free=lambda _: 10**5)
    monkeypatch.setattr(encoder_module, "size_batches", little)
    model = _encoder(bert)
    assert model._batch_size.tokens < 200
    assert answers_of(model, texts) == expected


def test_scores_after_prompts_out_of_memory_are_alike(
    llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = LlamaForCausalLM.from_pretrained(llama).eval()
    draw, failed = random.Random(1), list[int]()
    prompts = [[7, 8, *draw.choices(range(5, 900), k=draw.randint(2, 30))] for _ in range(50)]
    plain = TokenScores(model, tokens=[3, 4], batch_tokens=500)
    expected = {
        row: score
        for rows, found in plain.of(prompts)
        for row, score in zip(rows, found, strict=True)
    }
    monkeypatch.setattr(
        TokenScores, "_after", _with_memory(TokenScores._after, tokens=60, failed=failed)
    )
    # As on a GPU.
    monkeypatch.setattr(token_scores_module, "runs_as_tree", lambda model: False)
    limited = TokenScores(model, tokens=[3, 4], batch_tokens=500)
    for rows, found in limited.of(prompts):
        for row, score in zip(rows, found, strict=True):
            assert np.abs(score - expected.pop(row)).max() < 1e-4
    assert not expected
    assert failed


@alike("dtype", ["float32"], ["float16"])
def test_a_generating_model_out_of_memory_answers_alike(
    dtype: str, llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, failed = _random_texts(30, seed=4), list[int]()
    expected = answers_of(open_generating(llama, dtype=dtype), texts)
    assert len(set(expected)) > 5
    limited = _with_memory(GeneratingModel._of_batch, tokens=60, failed=failed)
    monkeypatch.setattr(GeneratingModel, "_of_batch", limited)
    # As on a GPU.
    monkeypatch.setattr(generating_module, "runs_as_tree", lambda model: False)
    assert answers_of(open_generating(llama, dtype=dtype), texts) == expected
    assert failed


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
