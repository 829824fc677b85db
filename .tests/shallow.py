"""SmolLM2 with its first layers and first words alone: a real GGUF file that answers fast."""

from pathlib import Path
from typing import Any

from gguf import GGUFReader, GGUFWriter, ReaderTensor

WORDS, WITHOUT_MERGES = 16384, 252
OF_WORDS = ("tokenizer.ggml.tokens", "tokenizer.ggml.token_type")


def write_shallow(source: Path, target: Path, *, layers: int) -> None:
    """Write `target`, with so many layers, from the GGUF file `source`."""
    reader = GGUFReader(source)
    writer = GGUFWriter(target, "llama")
    for name, field in reader.fields.items():
        # The writer itself says what kind of file and which architecture it is.
        if not name.startswith("GGUF.") and name != "general.architecture":
            kind, *of = field.types
            value = layers if name == "llama.block_count" else _cut(name, field.contents())
            writer.add_key_value(name, value, kind, of[0] if of else None)
    for tensor in (tensor for tensor in reader.tensors if _layer_of(tensor) < layers):
        # It has a row for each word, and is what answers are made by, too.
        rows = WORDS if tensor.name == "token_embd.weight" else None
        writer.add_tensor(tensor.name, tensor.data[:rows], raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _cut(name: str, value: Any) -> Any:
    """Return what the file says of the words that are left."""
    if name == "llama.vocab_size":
        return WORDS
    if name == "tokenizer.ggml.merges":
        # Each makes the next word, after those that are there without.
        return value[: WORDS - WITHOUT_MERGES]
    return value[:WORDS] if name in OF_WORDS else value


def _layer_of(tensor: ReaderTensor) -> int:
    """Return the number of its layer, or of the first one where it belongs to none."""
    layer = tensor.name.removeprefix("blk.").partition(".")[0]
    return int(layer) if layer.isdigit() else 0
