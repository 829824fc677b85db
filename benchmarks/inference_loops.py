"""The plain loops that inference is timed against: one text at a time, or batches of one size."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from inference_models import LABELS, Outcomes, Prompted, find_position
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, AutoTokenizer

GPU_BATCHES = [8, 16, 32, 64, 128, 256, 512]
TOKEN_SHAPES = [(1, 512), (4, 256), (16, 128), (32, 64)]


def loop_encoder(folder: Path, sheet: Mapping[str, Any]) -> Callable[[Sequence[str]], Outcomes]:
    """Return what asks the encoder in a folder about one text after the other."""
    tokenizer, model = _classifier(folder, sheet)

    @torch.inference_mode()
    def outcome(text: str) -> tuple[str, ...]:
        encoded = tokenizer(
            text, truncation=True, max_length=sheet["max_tokens"], return_tensors="pt"
        )
        logits = model(**encoded.to(model.device)).logits[0]
        return (model.config.id2label[int(logits.argmax())],)

    return lambda texts: [outcome(text) for text in texts]


def loop_labels(prompted: Prompted) -> Callable[[Sequence[str]], Outcomes]:
    """Return what scores the labels after one whole prompt after the other."""
    tokenizer, model = _causal(prompted.folder)
    first = [tokenizer(f" {label}")["input_ids"][0] for label in LABELS]
    offsets = torch.tensor([prompted.offsets[label] for label in LABELS], dtype=torch.float64)

    @torch.inference_mode()
    def outcome(text: str) -> tuple[str, ...]:
        encoded = tokenizer(_prompt(prompted, text), return_tensors="pt").to(model.device)
        scores = model(**encoded).logits[0, -1].double().log_softmax(dim=-1)[first].cpu()
        return (LABELS[int((scores - offsets).argmax())],)

    return lambda texts: [outcome(text) for text in texts]


def loop_answers(prompted: Prompted) -> Callable[[Sequence[str]], Outcomes]:
    """Return what generates one answer after the other, each from its whole prompt."""
    tokenizer, model = _causal(prompted.folder)

    def answer(text: str) -> str:
        encoded = tokenizer(_prompt(prompted, text), return_tensors="pt").to(model.device)
        found = model.generate(
            **encoded,
            max_new_tokens=prompted.task.prompt.max_answer_tokens,
            do_sample=False,
            pad_token_id=tokenizer.pad_token_id,
        )
        words: str = tokenizer.decode(
            found[0, encoded["input_ids"].shape[1] :], skip_special_tokens=True
        )
        return words

    return lambda texts: [answer(text) for text in texts]


def _causal(folder: Path) -> tuple[Any, Any]:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype="float32").eval().to(find_position())
    return AutoTokenizer.from_pretrained(folder), model


def _prompt(prompted: Prompted, text: str) -> str:
    return prompted.task.prompt.shown(prompted.task.examples) + prompted.task.prompt.asked(text)


@torch.inference_mode()
def time_fixed_batches(
    folder: Path, sheet: Mapping[str, Any], texts: Sequence[str]
) -> Iterator[float]:
    """Yield the texts per second of each size of batch, all else left out."""
    tokenizer, model = _classifier(folder, sheet)
    encoded = tokenizer(
        list(texts),
        truncation=True,
        max_length=sheet["max_tokens"],
        padding=True,
        return_tensors="pt",
    ).to(model.device)
    for size in GPU_BATCHES:
        split = [encoded[name].split(size) for name in ("input_ids", "attention_mask")]
        batches = list(zip(*split, strict=True))
        ids, mask = batches[0]
        model(input_ids=ids, attention_mask=mask).logits.cpu()
        started = time.perf_counter()
        logits = [model(input_ids=ids, attention_mask=mask).logits for ids, mask in batches]
        torch.cat(logits).cpu()
        yield len(texts) / (time.perf_counter() - started)


@torch.inference_mode()
def time_tokens(model: Any, rows: Sequence[Sequence[int]]) -> Iterator[float]:
    """Yield a language model's tokens per second in batches of several shapes, each run twice."""
    tokens = [token for row in rows for token in row]
    for shape in TOKEN_SHAPES:
        size = shape[0] * shape[1]
        ids = torch.tensor((tokens * (1 + size // len(tokens)))[:size]).reshape(shape)
        for _ in range(2):
            started = time.perf_counter()
            model.base_model(ids.to(model.device))
            yield size / (time.perf_counter() - started)


def _classifier(folder: Path, sheet: Mapping[str, Any]) -> tuple[Any, Any]:
    load = AutoModelForSequenceClassification.from_pretrained
    model = load(folder, dtype=sheet["dtype"]).eval().to(find_position())
    return AutoTokenizer.from_pretrained(folder), model
