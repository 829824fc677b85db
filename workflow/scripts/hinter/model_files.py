"""Check that the folder of a model or tokenizer has all files that it needs, undamaged."""

import json
import re
from collections.abc import Collection
from pathlib import Path

from safetensors import SafetensorError, safe_open

from .errors import InputError

# Without any of these, transformers silently makes an empty tokenizer.
VOCABULARIES = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model")
SAFE = ".safetensors"
PICKLED = (".bin", ".ckpt", ".pickle", ".pkl", ".pt", ".pth")
# Tiktoken names the file of an encoding by the digest of its address.
POINTER = b"version https://git-lfs"
ENCODING = re.compile("[0-9a-f]{40}")


def check_vocabulary(names: Collection[str], *, where: str) -> None:
    """Raise `InputError` unless a file of a tokenizer's vocabulary is among `names`."""
    if not set(VOCABULARIES) & set(names):
        raise InputError(
            where=where,
            found="no vocabulary",
            expected=f"one of {', '.join(VOCABULARIES)}",
            fix="Add the files of the model's tokenizer.",
        )


def check_model(names: Collection[str], *, where: str) -> None:
    """Raise `InputError` unless settings, weights and a vocabulary are among `names`."""
    weights = {name for name in names if name.endswith((SAFE, *PICKLED))}
    if "adapter_config.json" in names and all(name.startswith("adapter_") for name in weights):
        raise InputError(
            where=where,
            found="an adapter without the model that it changes",
            expected="a whole model",
            fix="Merge it elsewhere: `merge_and_unload` of PEFT, then `save_pretrained`.",
        )
    if "config.json" not in names or not weights:
        ggufs = [name for name in names if name.endswith(".gguf")]
        raise InputError(
            where=where,
            found=f"no model{f', only {ggufs[0]}' if ggufs else ''}",
            expected="config.json and weights, as `save_pretrained` writes them",
            fix="Name the GGUF file in the key 'gguf'."
            if ggufs
            else "Put the missing files there, or correct the folder.",
        )
    check_vocabulary(names, where=where)


def check_weights(names: Collection[str], *, where: str) -> None:
    """Raise `InputError` if weights among `names` are pickled, and none are in safetensors.

    Loading pickled weights runs any code in their file.
    """
    pickled = sorted(name for name in names if name.endswith(PICKLED))
    if pickled and not any(name.endswith(SAFE) for name in names):
        raise pickled_weights(where, found=pickled[0])


def pickled_weights(where: str, *, found: str) -> InputError:
    """Return the error for weights that would need unpickling."""
    return InputError(
        where=where,
        found=f"pickled weights ({found}), which can contain code",
        expected="weights in safetensors",
        fix="Use a copy of the model in safetensors; or, if you trust the file, load it with "
        "transformers elsewhere and save the folder again with `save_pretrained`.",
    )


def check_whole(folder: Path) -> None:
    """Raise `InputError` for a file in a folder that is truncated, a pointer, or lacks its parts.

    Git leaves pointers in place of files if its extension LFS is missing.
    """
    for path in sorted(path for path in folder.glob("*") if path.is_file()):
        with path.open("rb") as file:
            pointer = file.read(len(POINTER)) == POINTER
        if pointer:
            fix = "Fetch the file: run `git lfs pull` in the clone that the folder comes from."
            raise _not_whole(path, found="a pointer of Git LFS instead of the file", fix=fix)
        if path.name.endswith(SAFE):
            _check_tensors(path)
        missing = _named_by(path) - {other.name for other in folder.glob("*")}
        if missing:
            found = f"{len(missing)} files listed that are missing, such as {min(missing)}"
            raise _not_whole(path, found=found, fix="Copy or download these files too.")


def stored_types(folder: Path) -> dict[str, str]:
    """Return the number format in which each weight in a folder is stored, by safetensors' name."""
    types: dict[str, str] = {}
    for path in folder.glob(f"*{SAFE}"):
        with safe_open(path, framework="numpy") as file:
            types |= {name: file.get_slice(name).get_dtype() for name in file.keys()}  # noqa: SIM118
    return types


def _check_tensors(path: Path) -> None:
    try:
        with safe_open(path, framework="numpy"):
            pass
    except SafetensorError:
        fix = "Copy or download the file again."
        raise _not_whole(path, found="weights that are truncated or damaged", fix=fix) from None


def _named_by(path: Path) -> set[str]:
    """Return the files of weights that an index lists."""
    if not path.name.endswith(f"{SAFE}.index.json"):
        return set()
    try:
        return set(json.loads(path.read_bytes())["weight_map"].values())
    except (ValueError, KeyError, TypeError, AttributeError):
        fix = "Copy or download the file again."
        raise _not_whole(path, found="no index of weights", fix=fix) from None


def _not_whole(path: Path, *, found: str, fix: str) -> InputError:
    return InputError(where=str(path), found=found, expected="all files, complete", fix=fix)


def check_tokenizer(names: Collection[str], *, where: str) -> None:
    """Raise `InputError` unless a tokenizer that can count tokens is among `names`."""
    if any(map(ENCODING.fullmatch, names)):
        return
    if "tokenizer_config.json" not in names:
        raise InputError(
            where=where,
            found=f"no tokenizer among its files ({', '.join(sorted(names)[:3]) or 'none'})",
            expected="tokenizer_config.json and its files, or the file of a tiktoken encoding",
            fix="Name a resource or a folder that has them, or leave it out to count roughly.",
        )
    check_vocabulary(names, where=where)
