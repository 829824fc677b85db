"""Digests of everything that decides a response, under which responses are kept."""

import hashlib
from pathlib import Path
from typing import Any

import torch
import transformers

from ..provenance import digest_of, module_digest


def digest_of_folder(folder: Path) -> str:
    """Return a digest of the files in a model's folder: weights, tokenizer and settings."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(folder)).encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def digest_of_local(folder: Path, *, module: str, device: torch.device, **parts: Any) -> str:
    """Return a digest of a model that runs here: its files, the code of `module`, its device.

    The versions of the libraries count too, as another release may round differently.
    """
    return digest_of(
        files=digest_of_folder(folder),
        code=module_digest(f"hinter/models/{module}.py"),
        libraries=[torch.__version__, transformers.__version__],
        device=device.type,
        **parts,
    )
