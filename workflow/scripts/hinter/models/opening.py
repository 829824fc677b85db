"""From a model's entry in the models sheet, and its task, to the model, ready to use."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..config import PromptSheet, read_sheet
from ..corpora import Prompt, Text, check_prompt, read_examples
from .answers import AnswerReader, FreeReader
from .endpoint import Spending
from .function import open_function
from .model import Model, Reader


class Task(NamedTuple):
    """The task of a prompted model: its prompt, examples, and whether labels can go together."""

    prompt: Prompt
    examples: Sequence[Text]
    multi_label: bool

    def reader(self) -> Reader:
        """Return the reader of the answers, which are free where there are no labels."""
        if not self.prompt.labels:
            return FreeReader()
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
    notes: Path | None = None,
) -> Model:
    """Return the model that a `sheet` describes, from the folder of its files.

    For an endpoint, the folder is that of its tokenizer; for a function, it is the module. Encoders
    and functions have no `task`. `offsets` are those of a model that scores labels, `spending` is
    the account of a paid one, and `notes` the folder of its responses, where what a server
    refuses is noted.
    """
    # Each kind has libraries of its own that take long to import.
    if task and sheet["kind"] == "endpoint":
        from .endpoint.client import open_endpoint

        return open_endpoint(
            folder, sheet=sheet, task=task, seed=seed, spending=spending, notes=notes
        )
    if sheet["kind"] == "python":
        return open_function(folder, sheet=sheet, labels=labels, multi_label=multi_label)
    from .local import open_local

    return open_local(
        folder, sheet=sheet, labels=labels, multi_label=multi_label, task=task, offsets=offsets
    )
