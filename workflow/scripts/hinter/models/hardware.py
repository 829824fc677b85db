"""The device and the precision that a model runs in."""

import torch

from ..errors import InputError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


def find_device(name: str) -> torch.device:
    """Return the device called `cpu` or `cuda`, or for `auto` CUDA where there is a device.

    Raises `InputError` for `cuda` without one.
    """
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise InputError(
            where="models sheet, key 'device'",
            found="'cuda' on a machine without a CUDA device",
            expected="a device, or 'cpu' or 'auto'",
            fix="Run it where there is a GPU, or change the device.",
        )
    return torch.device("cuda" if there and name != "cpu" else "cpu")


def screening_dtype(device: torch.device, dtype: torch.dtype) -> torch.dtype:
    """Return the precision in which a model runs first: bfloat16 where it is several times as fast.

    Close decisions are made again in `dtype`, so the outcomes are those of `dtype`.
    """
    fast = device.type == "cuda" or torch.cpu._is_amx_tile_supported()
    return torch.bfloat16 if fast else dtype
