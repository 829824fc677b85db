"""Digests of models, part of the fingerprints under which their responses are kept."""

from pathlib import Path
from typing import Any

import torch
import transformers

from ..provenance import digest_of, module_digest, sha256_of


def digest_of_folder(folder: Path) -> str:
    """Return a digest of the files in a model's folder: weights, tokenizer and settings."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return digest_of(files=[[str(path.relative_to(folder)), sha256_of(path)] for path in files])


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
