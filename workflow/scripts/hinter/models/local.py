"""Open models that run here, by their entries in the models sheet.

This imports torch, which takes seconds and may look for GPUs at once. So only jobs that run such a
model import it, after they have claimed their GPUs.
"""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from transformers.tokenization_utils_base import VERY_LARGE_INTEGER

from ..errors import InputError

# The entries of encoders name it in this module, which also has their facts.
from .encoder import Encoder as Encoder
from .generating import GeneratingModel
from .loading import check_embeddings, load_config, load_tokenizer
from .opening import Task
from .prompting import ANY_TEXT, Prompting
from .scoring import ScoringModel
from .windows import model_window


def open_causal(
    folder: Path, *, sheet: Mapping[str, Any], task: Task, offsets: Mapping[str, float] | None
) -> GeneratingModel | ScoringModel:
    """Return the language model in a folder, with the `offsets` of one that scores labels."""
    if offsets is not None:
        return open_scoring(folder, sheet=sheet, task=task, offsets=offsets)
    prompting, parser = _prompting(folder, sheet=sheet, task=task), task.parser(sheet.get("answer"))
    return GeneratingModel(folder, sheet=sheet, prompting=prompting, parser=parser)


def facts_of(folder: Path, *, sheet: Mapping[str, Any], model: object) -> dict[str, str]:
    """Return facts from the settings and the tokenizer of a model, which need not be opened."""
    config, tokenizer = load_config(folder), load_tokenizer(folder)
    limits = [model_window(config), tokenizer.model_max_length]
    limit = min(each for each in (*limits, VERY_LARGE_INTEGER) if each)
    read = f"{limit:,} tokens" if limit < VERY_LARGE_INTEGER else "any number of tokens"
    facts = {"window": f"{sheet['max_tokens'] or 'all'} tokens of a text; the model reads {read}"}
    if sheet["kind"] == "encoder":
        names = config.id2label.values() if model else ["(those of the dataset)"]
        facts["labels"] = ", ".join(sheet["labels"].get(name, name) for name in names)
        return facts | {"pad token": tokenizer.pad_token or "none"}
    used = "used" if sheet["chat"] else "not used"
    return facts | {"chat template": used if tokenizer.chat_template else "none"}


def open_scoring(
    folder: Path, *, sheet: Mapping[str, Any], task: Task, offsets: Mapping[str, float]
) -> ScoringModel:
    """Return the language model in a folder, to score the labels of a task."""
    prompting = _prompting(folder, sheet=sheet, task=task)
    return ScoringModel(folder, sheet=sheet, prompting=prompting, offsets=offsets)


def _prompting(folder: Path, *, sheet: Mapping[str, Any], task: Task) -> Prompting:
    """Return the prompt of a task in the tokens of the model in a folder."""
    torch.set_num_threads(sheet["threads"])
    tokenizer, config = load_tokenizer(folder), load_config(folder)
    prompting = Prompting(
        tokenizer,
        task=task,
        sheet=sheet,
        context_tokens=_context_tokens(folder, tokenizer, config, asked=sheet["context_tokens"]),
    )
    shown = prompting.token_ids(ANY_TEXT)
    check_embeddings(folder, config=config, tokenizer=tokenizer, shown=shown)
    return prompting


def _context_tokens(folder: Path, tokenizer: Any, config: Any, *, asked: int | None) -> int:
    """Return the limit of prompt and answer together: the model's, or `asked` if that is less."""
    limit = model_window(config)
    if limit is None and tokenizer.model_max_length < VERY_LARGE_INTEGER:
        limit = tokenizer.model_max_length
        logging.info("the context of %d tokens is that of the tokenizer: the model has none", limit)
    if limit is None and asked is None:
        raise InputError(
            where="models sheet, key 'context_tokens'",
            found=f"none, and no limit of tokens in the settings of {folder}",
            expected="the tokens of prompt and answer together",
            fix="Set it to what the model was trained for.",
        )
    return min(tokens for tokens in (limit, asked) if tokens is not None)
