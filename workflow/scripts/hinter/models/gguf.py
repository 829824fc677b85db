"""Conversion of GGUF weights to a folder that loads quickly."""

from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from .loading import HARMLESS


def convert_gguf(file: Path, folder: Path) -> None:
    """Write the model and tokenizer of the GGUF `file`, dequantised to float32, to `folder`."""
    settings = {"gguf_file": file.name, **HARMLESS}
    tokenizer = AutoTokenizer.from_pretrained(file.parent, **settings)
    model = AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float32, **settings)
    # The weights are plain float32 by now, but the model cannot be saved while it is marked as
    # quantised.
    model.hf_quantizer = None
    model.is_quantized = False
    del model.config.quantization_config
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
