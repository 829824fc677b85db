"""Load tokenizers and models from folders, or report in one line what is wrong with the folder."""

import json
from collections.abc import Callable, Collection
from functools import cache, partial
from pathlib import Path
from pickle import UnpicklingError
from typing import Any
from unittest.mock import patch

import gguf
import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    GenerationConfig,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from ..errors import InputError
from ..model_files import (
    check_vocabulary,
    check_weights,
    check_whole,
    pickled_weights,
    stored_types,
)

# Do not fetch files that a folder lacks, and do not run code in it.
HARMLESS = {"local_files_only": True, "trust_remote_code": False}
WHOLE_TYPES = ("F64", "F32", "F16", "BF16")
"""The number formats, by safetensors' names, of weights that are not quantised."""


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """Return the tokenizer in a folder; raises `InputError` if there is no usable one."""
    check_vocabulary({path.name for path in folder.glob("*")}, where=str(folder))
    tokenizer = _loaded(AutoTokenizer.from_pretrained, folder, what="a tokenizer")
    if not tokenizer.is_fast:
        raise InputError(
            where=str(folder),
            found="a tokenizer without a fast version, which cannot locate its tokens",
            expected="tokenizer.json, or the files that it is made from",
            fix="Save it once with a fast tokenizer class of transformers.",
        )
    return tokenizer


def load_config(folder: Path) -> PretrainedConfig:
    """Return the settings of the model in a folder; raises `InputError` if there are none."""
    return _loaded(AutoConfig.from_pretrained, folder, what="the settings of a model")


def load_untrained(folder: Path, **settings: Any) -> PreTrainedModel:
    """Return the encoder in a folder with a new head, made with these `settings` of transformers.

    Raises `InputError` if there is none. Some resources have pickled weights. From these, torch
    loads only tensors and refuses everything else.
    """
    load = AutoModelForSequenceClassification.from_pretrained
    return _loaded(load, folder, what="an encoder", **settings)


def load_encoder(folder: Path, *, dtype: torch.dtype) -> PreTrainedModel:
    """Return the sequence classifier in a folder; raises `InputError` if there is none."""
    load = AutoModelForSequenceClassification.from_pretrained
    return _whole(load, folder, what="a sequence classifier", dtype=dtype)


def load_causal(folder: Path, *, dtype: torch.dtype) -> PreTrainedModel:
    """Return the causal language model in a folder; raises `InputError` if there is none.

    It generates the likeliest tokens. Settings of its folder such as sampling, beams, penalties,
    suppressed tokens or a time limit are not used.
    """
    load = partial(AutoModelForCausalLM.from_pretrained, generation_config=GenerationConfig())
    return _whole(load, folder, what="a causal language model", dtype=dtype)


def end_tokens(
    folder: Path, *, config: PretrainedConfig, tokenizer: PreTrainedTokenizerBase
) -> list[int]:
    """Return the tokens that end an answer, by a model's settings or its tokenizer.

    Chat models often name the end of a turn in only one of them.
    """
    settings = _loaded(_generation, folder, what="settings of generation")
    of_model = getattr(config.get_text_config(), "eos_token_id", None)
    named = [settings.get("eos_token_id"), of_model, tokenizer.eos_token_id]
    lists = [ids if isinstance(ids, list) else [ids] for ids in named]
    return sorted({token for ids in lists for token in ids if isinstance(token, int)})


def _generation(folder: Path, **_: object) -> dict[str, Any]:
    path = folder / "generation_config.json"
    return dict(json.loads(path.read_bytes())) if path.exists() else {}


def check_embeddings(
    folder: Path,
    *,
    config: PretrainedConfig,
    tokenizer: PreTrainedTokenizerBase,
    shown: Collection[int],
) -> None:
    """Raise `InputError` if texts can have tokens that the model in a folder has no embedding for.

    Control tokens count only if they are `shown` around every text: elsewhere they are words.
    """
    limit = getattr(config.get_text_config(), "vocab_size", None)
    control = {token for token, added in tokenizer.added_tokens_decoder.items() if added.special}
    possible = set(shown).union(set(tokenizer.get_vocab().values()) - control)
    beyond = [token for token in possible if limit is not None and token >= limit]
    if beyond:
        names = ", ".join(tokenizer.convert_ids_to_tokens(sorted(beyond)[:3]))
        raise InputError(
            where=str(folder),
            found=f"tokens of the tokenizer that the model lacks ({len(beyond)}, such as {names})",
            expected=f"tokens numbered below {limit:,} (`vocab_size` in config.json)",
            fix="Use the model's own tokenizer, or call `resize_token_embeddings` and train it.",
        )


def load_gguf(file: Path) -> tuple[PreTrainedTokenizerBase, PreTrainedModel]:
    """Return the tokenizer and the causal language model in a GGUF file, dequantised to float32.

    Raises `InputError` if there are none, or if transformers has no code for the model.
    """
    load, named = AutoModelForCausalLM.from_pretrained, {"gguf_file": file.name}
    what = "a causal language model"
    # Transformers reads the file three times by gguf, and looks up names once for every module.
    with (
        patch.object(gguf, "GGUFReader", cache(gguf.GGUFReader)),
        patch.object(gguf, "get_tensor_name_map", cache(gguf.get_tensor_name_map)),
    ):
        tokenizer = _loaded(AutoTokenizer.from_pretrained, file.parent, what="a tokenizer", **named)
        return tokenizer, _loaded(load, file.parent, what=what, dtype=torch.float32, **named)


def convert_gguf(*, resource: Path, gguf: str, folder: Path) -> None:
    """Write what `load_gguf` returns of a file in `resource` to `folder`, which loads quickly."""
    tokenizer, model = load_gguf(resource / gguf)
    # The weights are plain float32 now, but the model cannot be saved while it is marked as
    # quantised.
    model.hf_quantizer = None
    model.is_quantized = False
    del model.config.quantization_config
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _whole(
    load: Callable[..., Any], folder: Path, *, what: str, dtype: torch.dtype
) -> PreTrainedModel:
    check_weights({path.name for path in folder.glob("*")}, where=str(folder))
    model, found = _loaded(
        load,
        folder,
        what=what,
        dtype=dtype,
        output_loading_info=True,
        use_safetensors=True,
        ignore_mismatched_sizes=True,
    )
    for name, stored, expected in sorted(found["mismatched_keys"]):
        raise InputError(
            where=str(folder),
            found=f"weights {name} of shape {tuple(stored)}",
            expected=f"{tuple(expected)}, by config.json and the number of labels in 'id2label'",
            fix="Correct config.json, or use the weights that belong to it.",
        )
    if found["missing_keys"]:
        raise InputError(
            where=str(folder),
            found=f"no weights for {', '.join(sorted(found['missing_keys']))}"[:300],
            expected=f"{what} that is trained",
            fix="Use the folder of a trained model, or let the run fine-tune it (`fine_tuning`).",
        )
    if not getattr(model, "is_quantized", False):
        _check_types(model, folder=folder)
    return model.eval()


def _check_types(model: PreTrainedModel, *, folder: Path) -> None:
    """Raise `InputError` if weights of a model are stored as integers, or in 8 bits or less."""
    types = stored_types(folder)
    wrong = [
        name
        for name, weights in model.named_parameters()
        if weights.is_floating_point() and types.get(name, "F32") not in WHOLE_TYPES
    ]
    if wrong:
        raise InputError(
            where=str(folder),
            found=f"weights {wrong[0]} of type {types[wrong[0]]}, which are quantised",
            expected="weights of 16 bits or more, or settings that say how they are quantised",
            fix="Use a copy that is not quantised, or serve it elsewhere as an endpoint.",
        )


def _loaded(load: Callable[..., Any], folder: Path, *, what: str, **settings: Any) -> Any:
    file = settings.get("gguf_file")
    try:
        return load(folder, **HARMLESS, **settings)
    except UnpicklingError:
        raise pickled_weights(str(folder), found="more than tensors") from None
    except Exception as error:  # Missing and damaged parts of files cause errors of any type.
        if "trust_remote_code" in str(error):
            raise InputError(
                where=str(folder),
                found="its own code (`auto_map` in its settings), which is not run",
                expected=f"{what} whose code is part of transformers",
                fix="Use another model, or serve this one elsewhere and name it as an endpoint.",
            ) from None
        check_whole(folder)
        raise _broken(folder, what=what, file=file, error=error) from None


def _broken(folder: Path, *, what: str, file: str | None, error: Exception) -> InputError:
    found = " ".join(str(error).split())[:300] or type(error).__name__
    if file:
        return InputError(
            where=str(folder / file),
            found=found,
            expected=f"{what} in an undamaged GGUF file",
            fix="Replace it by a complete copy, or name another file in the models sheet.",
        )
    fix = "Put the missing files there, or correct the model's folder in the models sheet."
    if isinstance(error, ImportError):
        fix = "Use a copy that needs no such library, or serve it elsewhere as an endpoint."
    elif what == "a tokenizer" and not (folder / "tokenizer.json").exists():
        fix = "Add tokenizer.json: save the tokenizer where the library for its vocabulary exists."
    expected = f"{what}, as `save_pretrained` writes it"
    return InputError(where=str(folder), found=found, expected=expected, fix=fix)
