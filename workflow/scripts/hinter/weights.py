"""Weights of models: files that hold numbers are read, files that may hold code are not."""

from pathlib import Path

from .errors import InputError

PICKLED = ("*.bin", "*.ckpt", "*.pickle", "*.pkl", "*.pt", "*.pth")


def check_weights(folder: Path, *, where: str) -> None:
    """Raise `InputError` where the weights in a model's folder are pickled and in no safetensors.

    To unpickle is to run what a file says.
    """
    pickled = sorted(path.name for pattern in PICKLED for path in folder.glob(pattern))
    if pickled and not any(folder.glob("*.safetensors")):
        raise pickled_weights(where, found=pickled[0])


def pickled_weights(where: str, *, found: str) -> InputError:
    """Return the error for weights that would have to be unpickled."""
    return InputError(
        where=where,
        found=f"pickled weights ({found}), which can hold code",
        expected="weights in safetensors",
        fix="Take a copy of the model in safetensors; or, where you trust the file, load it with "
        "transformers elsewhere and write the folder anew with `save_pretrained`.",
    )
