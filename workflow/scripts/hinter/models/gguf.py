"""Convert GGUF weights to a folder that loads quickly."""

from functools import cache
from pathlib import Path
from unittest.mock import patch

import gguf

from .loading import load_gguf


def convert_gguf(file: Path, folder: Path) -> None:
    """Write the model and tokenizer of the GGUF `file`, dequantised to float32, to `folder`.

    Raises `InputError` if transformers has no code for the model.
    """
    # Transformers reads the file three times by gguf, and looks up names once for every module.
    with (
        patch.object(gguf, "GGUFReader", cache(gguf.GGUFReader)),
        patch.object(gguf, "get_tensor_name_map", cache(gguf.get_tensor_name_map)),
    ):
        tokenizer, model = load_gguf(file)
    # The weights are plain float32 now, but the model cannot be saved while it is marked as
    # quantised.
    model.hf_quantizer = None
    model.is_quantized = False
    del model.config.quantization_config
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
