"""Every architecture of transformers: batches and what is shared change nothing, or one line says.

The models are tiny and have random weights, so that whatever is read in the wrong place shows.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from answering import LABELS, answers_of
from hinter.corpora import Prompt
from hinter.errors import InputError
from hinter.models import Task, open_model
from hinter.models.encoder import Encoder
from hinter.models.generating import GeneratingModel
from hinter.models.labelled import log_odds
from hinter.models.scoring import ScoringModel
from tiny import open_encoder
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    GenerationConfig,
)
from zoo import KINDS, architectures, texts_of, write_tiny

SAMPLE = ("llama", "mistral", "gpt2", "bloom")
CLASSIFIERS = (*SAMPLE, "bert", "deberta-v2", "t5", "jamba")
PADDED = ("llama", "gpt2", "bert", "t5")
CAUSAL = (*SAMPLE, "mamba", "gemma3_text")
TEXTS = texts_of(12)
PROMPT = Prompt(1, "1 2 3 4 5 6 7 8 9 ", "{text} 8 9", "none", 4, {}, LABELS)
SHEET = {"kind": "causal", "chat": False, "answer_prefix": None, "context_tokens": 256}
SHEET |= {"max_tokens": 100, "batch_tokens": 8192, "threads": 1, "device": "cpu"}
SHEET |= {"dtype": "float32", "scores": True}
STEP = 0.1
"""Scores are rounded down to hundredths, and to tenths where a label is unlikely."""

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("seldom_told")]


@pytest.fixture(scope="module")
def seldom_told() -> Iterator[None]:
    """Let transformers say nothing about settings of models that nobody trained."""
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()
    yield
    logging.set_verbosity(before)


def _all(kind: str, sample: Sequence[str]) -> list[Any]:
    return [
        name if name in sample else pytest.param(name, marks=pytest.mark.release)
        for name in architectures(kind)
    ]


def _written(folder: Path, name: str, *, kind: str, **settings: Any) -> None:
    """Write the model; skips the test where transformers itself cannot make or run it."""
    said = write_tiny(folder, name, kind=kind, **settings)
    if said:
        pytest.skip(f"{name}: {said}")


def _is_near(response: Mapping[str, Any], logits: torch.Tensor) -> bool:
    """Tell whether a response has the outcome and the scores of the logits of labels."""
    odds = log_odds(logits.double().numpy()[None])[0]
    scores = np.array(response["scores"]) / 100
    right = response["outcome"] == [LABELS[int(logits.argmax())]]
    return bool(right and np.all((odds - scores > -0.01) & (odds - scores < STEP + 0.01)))


def _encoder(folder: Path) -> Encoder:
    return open_encoder(folder, scores=True, max_tokens=100, batch_tokens=8192)


def _open(folder: Path, *, offsets: Mapping[str, float] | None) -> Any:
    task = Task(PROMPT, [], multi_label=False)
    given = {"labels": LABELS, "multi_label": False, "task": task, "offsets": offsets}
    return open_model(folder, sheet=SHEET, **given)


def _padded(pad: str) -> list[Any]:
    sample = CLASSIFIERS if pad == "own" else PADDED
    return [
        pytest.param(name, pad, marks=[] if name in sample else pytest.mark.release)
        for name in architectures("classifier")
    ]


@pytest.mark.parametrize(("name", "pad"), [*_padded("own"), *_padded("end"), *_padded("none")])
def test_a_text_is_classified_in_a_batch_as_alone(name: str, pad: str, tmp_path: Path) -> None:
    padding = {"own": {}, "end": {"pad_token_id": 2}, "none": {"pad_token_id": None}}[pad]
    names = dict(enumerate(LABELS))
    _written(tmp_path, name, kind="classifier", id2label=names, **padding)
    try:
        model = _encoder(tmp_path)
    except InputError as error:
        assert "\n" not in str(error)
        return
    found = [json.loads(answer) for answer in answers_of(model, TEXTS)]
    alone = AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    for text, response in zip(TEXTS, found, strict=True):
        ids = torch.tensor([tokenizer(text, truncation=True, max_length=100)["input_ids"]])
        with torch.inference_mode():
            logits = alone(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0]
        assert _is_near(response, logits)


@pytest.mark.parametrize("name", _all("causal", CAUSAL))
def test_labels_are_scored_in_a_batch_as_alone(name: str, tmp_path: Path) -> None:
    _written(tmp_path, name, kind="causal")
    try:
        model: ScoringModel = _open(tmp_path, offsets={})
    except InputError as error:
        assert "\n" not in str(error)
        return
    found = [json.loads(answer) for answer in answers_of(model, TEXTS)]
    alone = AutoModelForCausalLM.from_pretrained(tmp_path).eval()
    for row, response in zip(model._prompting.rows(TEXTS), found, strict=True):
        with torch.inference_mode():
            logits = alone(torch.tensor([row])).logits[0, -1, model._answer_ids]
        assert _is_near(response, logits)


@pytest.mark.parametrize("name", _all("causal", CAUSAL))
def test_answers_in_a_batch_are_those_alone(name: str, tmp_path: Path) -> None:
    _written(tmp_path, name, kind="causal")
    try:
        model: GeneratingModel = _open(tmp_path, offsets=None)
        found = [json.loads(answer)["answer"] for answer in answers_of(model, TEXTS)]
    except InputError as error:
        assert "\n" not in str(error)
        return
    likeliest = GenerationConfig(eos_token_id=model._ends or None)
    alone = AutoModelForCausalLM.from_pretrained(tmp_path, generation_config=likeliest).eval()
    for row, answer in zip(model._prompting.rows(TEXTS), found, strict=True):
        ids = torch.tensor([row])
        expected = alone.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            max_new_tokens=PROMPT.max_answer_tokens,
            pad_token_id=0,
        )[0, len(row) :]
        said = takewhile(lambda token: token not in model._ends, expected.tolist())
        assert answer == model._tokenizer.decode(list(said))


@pytest.mark.parametrize("name", ["llama", "qwen2", "mistral", "gemma", "gpt2", "phi"])
def test_classifiers_made_of_language_models_keep_their_batches(name: str, tmp_path: Path) -> None:
    _written(tmp_path, name, kind="classifier", id2label=dict(enumerate(LABELS)), pad_token_id=None)
    assert _encoder(tmp_path)._batch_size.tokens == 8192


def test_kinds_are_those_of_which_transformers_has_many() -> None:
    assert all(len(architectures(kind)) > 100 for kind in KINDS)
