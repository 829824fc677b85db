"""From a model's entry in the models sheet to the model, ready to use."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .endpoint import Endpoint, EndpointSettings, Spending, open_token_counter
from .function import open_function
from .model import Model
from .task import Task


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

    For an endpoint, the folder is that of its tokenizer; for a function, it is the module. Encoders
    and functions have no `task`. `offsets` are those of a model that scores labels, `spending` is
    the account of a paid one.
    """
    if task and sheet["kind"] == "endpoint":
        return open_endpoint(folder, sheet=sheet, task=task, seed=seed, spending=spending)
    if sheet["kind"] == "python":
        return open_function(folder, sheet=sheet, labels=labels, multi_label=multi_label)
    # Neither calls of endpoints nor of functions need torch.
    from .local import open_local

    return open_local(
        folder, sheet=sheet, labels=labels, multi_label=multi_label, task=task, offsets=offsets
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
        # In an answer with several labels, none stands for a choice among all of them.
        labels=() if task.multi_label else task.prompt.labels,
        spending=spending,
    )
