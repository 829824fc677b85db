"""From an endpoint's entry in the models sheet to its model, ready to use."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..task import Task
from .budget import Spending
from .client import Endpoint
from .settings import EndpointSettings
from .token_counters import open_token_counter


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
