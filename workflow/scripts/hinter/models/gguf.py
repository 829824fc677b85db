"""Conversion of GGUF weights to a folder that loads quickly."""

from functools import cache
from pathlib import Path
from unittest.mock import patch

import gguf

from .loading import load_gguf

ASKED_AGAIN = ("GGUFReader", "get_tensor_name_map")
"""What transformers asks gguf for again: the file, thrice, and the names, for every module."""


def convert_gguf(file: Path, folder: Path) -> None:
    """Write the model and tokenizer of the GGUF `file`, dequantised to float32, to `folder`.

    Raises `InputError` where it holds none that transformers itself has the code for.
    """
    with patch.multiple(gguf, **{name: cache(getattr(gguf, name)) for name in ASKED_AGAIN}):
        tokenizer, model = load_gguf(file)
    # The weights are plain float32 by now, but the model refuses to be saved as long as it calls
    # itself quantised.
    model.hf_quantizer = None
    model.is_quantized = False
    del model.config.quantization_config
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
