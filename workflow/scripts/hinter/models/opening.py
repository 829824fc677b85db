"""From a model's entry in the models sheet to the model, ready to use."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch

from ..config import PromptSheet, read_sheet
from ..corpora import Prompt, Text, check_prompt, read_examples
from .answers import AnswerReader
from .encoder import Encoder
from .endpoint import Endpoint, EndpointSettings, Spending, open_token_counter
from .generating import GeneratingModel
from .loading import load_config, load_tokenizer
from .model import Model
from .prompting import Prompting
from .scoring import ScoringModel


class Task(NamedTuple):
    """The task of a prompted model: its prompt, examples, and whether labels can go together."""

    prompt: Prompt
    examples: Sequence[Text]
    multi_label: bool

    def reader(self) -> AnswerReader:
        """Return the reader of the answers."""
        return AnswerReader(self.prompt.labels, multi_label=self.multi_label, none=self.prompt.none)


def read_task(*, corpus: Path, prompt: str, labels: Sequence[str], multi_label: bool) -> Task:
    """Return the task of a dataset, given its corpus and prompt file."""
    sheet = read_sheet(prompt, PromptSheet)
    template = check_prompt(sheet.model_dump(), path=prompt, labels=labels)
    return Task(template, read_examples(corpus, list(template.examples)), multi_label)


def open_model(
    folder: Path,
    *,
    sheet: Mapping[str, Any],
    labels: Sequence[str],
    multi_label: bool,
    task: Task | None,
    offsets: Mapping[str, float] | None,
    seed: int,
    spending: Spending | None,
) -> Model:
    """Return the model that a `sheet` describes, from the folder of its files.

    For an endpoint, the folder is that of its tokenizer. Encoders have no `task`. `offsets` are
    those of a model that scores labels, `spending` is the account of a paid one.
    """
    if task is None:
        return _open_encoder(folder, sheet=sheet, labels=labels, multi_label=multi_label)
    if sheet["kind"] == "endpoint":
        return open_endpoint(folder, sheet=sheet, task=task, seed=seed, spending=spending)
    if offsets is None:
        return _open_generating(folder, sheet=sheet, task=task)
    return open_scoring(folder, sheet=sheet, task=task, offsets=offsets)


def _open_encoder(
    folder: Path, *, sheet: Mapping[str, Any], labels: Sequence[str], multi_label: bool
) -> Encoder:
    keys = ("max_tokens", "batch_tokens", "threads", "device", "dtype")
    settings = {key: sheet[key] for key in keys}
    return Encoder(folder, labels=labels, multi_label=multi_label, **settings)


def open_scoring(
    folder: Path, *, sheet: Mapping[str, Any], task: Task, offsets: Mapping[str, float]
) -> ScoringModel:
    """Return the language model in a folder, to score the labels of a task."""
    torch.set_num_threads(sheet["threads"])
    tokenizer = load_tokenizer(folder)
    return ScoringModel(
        folder,
        prompting=_prompting(folder, tokenizer, sheet=sheet, task=task),
        labels=task.prompt.labels,
        offsets=offsets,
        **_running(sheet),
    )


def _open_generating(folder: Path, *, sheet: Mapping[str, Any], task: Task) -> GeneratingModel:
    torch.set_num_threads(sheet["threads"])
    tokenizer = load_tokenizer(folder)
    return GeneratingModel(
        folder,
        tokenizer=tokenizer,
        prompting=_prompting(folder, tokenizer, sheet=sheet, task=task),
        reader=task.reader(),
        max_answer_tokens=task.prompt.max_answer_tokens,
        **_running(sheet),
    )


def open_endpoint(
    tokenizer: Path,
    *,
    sheet: Mapping[str, Any],
    task: Task,
    seed: int,
    spending: Spending | None = None,
) -> Endpoint:
    """Return the language model behind an endpoint, given the folder of its tokenizer."""
    settings = EndpointSettings.of_sheet(
        sheet, max_answer_tokens=task.prompt.max_answer_tokens, seed=seed
    )
    return Endpoint(
        settings,
        messages=lambda text: task.prompt.chat(text, task.examples),
        reader=task.reader(),
        counter=open_token_counter(tokenizer),
        spending=spending,
    )


def _prompting(folder: Path, tokenizer: Any, *, sheet: Mapping[str, Any], task: Task) -> Prompting:
    limit = load_config(folder).max_position_embeddings
    return Prompting(
        tokenizer,
        prompt=task.prompt,
        examples=task.examples,
        chat=sheet["chat"],
        context_tokens=min(limit, sheet["context_tokens"] or limit),
        max_tokens=sheet["max_tokens"],
    )


def _running(sheet: Mapping[str, Any]) -> dict[str, Any]:
    return {key: sheet[key] for key in ("batch_tokens", "device", "dtype")}
