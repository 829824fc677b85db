"""Tokenizers and models from folders, or one line that says what is wrong with the folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from ..errors import InputError
from ..model_files import check_vocabulary


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """Return the tokenizer in a folder; raises `InputError` where there is none to be used."""
    check_vocabulary({path.name for path in folder.glob("*")}, where=str(folder))
    tokenizer = _loaded(AutoTokenizer.from_pretrained, folder, what="a tokenizer")
    if not tokenizer.is_fast:
        raise InputError(
            where=str(folder),
            found="a tokenizer without a fast form, which cannot tell where its tokens stand",
            expected="tokenizer.json, or the files that it is made from",
            fix="Save it once with a fast tokenizer class of transformers.",
        )
    return tokenizer


def load_encoder(folder: Path, *, dtype: torch.dtype) -> PreTrainedModel:
    """Return the sequence classifier in a folder; raises `InputError` where there is none."""
    load = AutoModelForSequenceClassification.from_pretrained
    return _whole(load, folder, what="a sequence classifier", dtype=dtype)


def load_causal(folder: Path, *, dtype: torch.dtype) -> PreTrainedModel:
    """Return the causal language model in a folder; raises `InputError` where there is none."""
    load = AutoModelForCausalLM.from_pretrained
    return _whole(load, folder, what="a causal language model", dtype=dtype)


def _whole(
    load: Callable[..., Any], folder: Path, *, what: str, dtype: torch.dtype
) -> PreTrainedModel:
    model, found = _loaded(load, folder, what=what, dtype=dtype, output_loading_info=True)
    if found["missing_keys"]:
        raise InputError(
            where=str(folder),
            found=f"no weights for {', '.join(sorted(found['missing_keys']))}"[:300],
            expected=f"{what} that is trained",
            fix="Take the folder of a trained model, or let the run fine-tune it (`fine_tuning`).",
        )
    return model.eval()


def _loaded(load: Callable[..., Any], folder: Path, *, what: str, **settings: Any) -> Any:
    try:
        return load(folder, local_files_only=True, **settings)
    # What is missing or broken shows as one of these, depending on the file.
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            where=str(folder),
            found=" ".join(str(error).split())[:300],
            expected=f"{what}, as `save_pretrained` writes it",
            fix="Put the missing files there, or correct the model's folder in the models sheet.",
        ) from None
