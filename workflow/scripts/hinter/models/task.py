"""The task of a prompted model: what it is asked about each text."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..config import PromptSheet, read_sheet
from ..corpora import Prompt, Text, check_prompt, read_examples
from .answers import AnswerReader, FreeReader
from .model import Reader


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
