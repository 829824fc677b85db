"""Open a model from its entry in the models sheet and its task."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ..config import KINDS, PromptSheet, read_sheet
from ..corpora import Prompt, Text, check_prompt, read_examples
from .answers import AnswerParser, FreeTextParser, PartReader
from .model import Model, ResponseParser


class Task(NamedTuple):
    """The task of a prompted model: its prompt, examples, and whether labels can go together."""

    prompt: Prompt
    examples: Sequence[Text]
    multi_label: bool

    def parser(self, form: Mapping[str, str] | None = None) -> ResponseParser:
        """Return the parser of the answers, which are free if there are no labels.

        If they have a `form` (see `PartReader`), only a part of each is parsed.
        """
        if not self.prompt.labels:
            return FreeTextParser()
        parser = AnswerParser(
            self.prompt.labels, multi_label=self.multi_label, none=self.prompt.none
        )
        return PartReader(parser, form=form) if form else parser


def read_task(
    *, corpus: Path, prompt: str, labels: Sequence[str], multi_label: bool, rotation: int = 0
) -> Task:
    """Return the task of a dataset, without examples if its corpus does not exist yet.

    The first examples of the prompt, as many as `rotation`, are shown last.
    """
    sheet = read_sheet(prompt, PromptSheet)
    template = check_prompt(sheet.model_dump(), path=prompt, labels=labels).rotated(rotation)
    examples = read_examples(corpus, list(template.examples)) if corpus.exists() else []
    return Task(template, examples, multi_label)


def open_model(folder: Path, *, sheet: Mapping[str, Any], **given: Any) -> Model:
    """Return the model that a `sheet` describes, from the folder of its files.

    For an endpoint, the folder is that of its tokenizer; for a function, it is the module. Each
    kind uses some of the `given`: `labels`, `multi_label`, the `task` of a prompted model, the
    `offsets` of one that scores labels, the `seed`, the account of a paid one (`spending`), and
    `notes`, the folder of its responses, in which the refusals of a server are recorded.
    """
    module, name = _opener(sheet)
    opener = getattr(module, name)
    taken = {key: given[key] for key in signature(opener).parameters if key in given}
    return opener(folder, sheet=sheet, **taken)


def find_facts(folder: Path, *, sheet: Mapping[str, Any], model: Model | None) -> dict[str, str]:
    """Return facts about a model in a folder, in words, by their subject.

    The `model` is None if it was not opened. If the module that opens its kind has no function
    `facts_of`, nothing is known.
    """
    module, _ = _opener(sheet)
    facts_of = getattr(module, "facts_of", None)
    return facts_of(folder, sheet=sheet, model=model) if facts_of else {}


def _opener(sheet: Mapping[str, Any]) -> tuple[ModuleType, str]:
    """Return the module that opens a kind of model, and the name of its function."""
    module, _, name = str(KINDS[sheet["kind"]].opened_by).partition(":")
    # The libraries of each kind take long to import.
    return import_module(f"hinter.{module}"), name
