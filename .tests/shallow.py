"""SmolLM2 with its first layers alone: a real file of weights that answers fast."""

from pathlib import Path

from gguf import GGUFReader, GGUFValueType, GGUFWriter

LAYERS = 4


def write_shallow(source: Path, target: Path) -> None:
    """Write the first of the layers in the GGUF file `source`, and all that is no layer."""
    reader = GGUFReader(source)
    architecture = reader.fields["general.architecture"].contents()
    writer = GGUFWriter(target, architecture)
    for name, field in reader.fields.items():
        # What the writer says by itself.
        if name.startswith("GGUF.") or name == "general.architecture":
            continue
        kind, *of = field.types
        value = LAYERS if name == f"{architecture}.block_count" else field.contents()
        writer.add_key_value(name, value, kind, of[0] if of else None)
    for tensor in reader.tensors:
        layer = tensor.name.removeprefix("blk.").partition(".")[0]
        if not layer.isdigit() or int(layer) < LAYERS:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
