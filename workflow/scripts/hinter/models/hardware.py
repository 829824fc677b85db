"""Choose the device of a model, and the precision in which it runs or is trained."""

import logging
import os

import torch
from transformers import PreTrainedModel

from ..errors import InputError

DTYPES = {name: getattr(torch, name) for name in ("float32", "float16", "bfloat16")}
VOLTA = (7, 0)
"""The compute capability from which GPUs are several times as fast in float16."""


def find_device(name: str) -> torch.device:
    """Return the device called `cpu` or `cuda`, or for `auto` CUDA if there is a device.

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
    """Return the precision in which a model runs first: half if that is several times as fast.

    That is bfloat16, or float16 on older GPUs without it. Close decisions are made again in
    `dtype`, so the outcomes are those of `dtype`.
    """
    if device.type == "cpu":
        return torch.bfloat16 if multiplies_bfloat16() else dtype
    if has_bfloat16():
        return torch.bfloat16
    return torch.float16 if torch.cuda.get_device_capability(device) >= VOLTA else dtype


def multiplies_bfloat16() -> bool:
    """Return whether the processor multiplies faster in bfloat16, and oneDNN is allowed to use it.

    Processors of Intel need AMX for it: with only AVX512-BF16 they take 1.6 times as long as in
    single precision.
    """
    limit = os.environ.get("ONEDNN_MAX_CPU_ISA", "DEFAULT").upper()
    unlimited = any(name in limit for name in ("DEFAULT", "ALL", "AMX"))
    processor = torch.cpu.get_capabilities()
    if processor.get("amx_bf16") and unlimited:
        return True
    vectors = processor.get("avx512_bf16") and (unlimited or "BF16" in limit)
    return bool(vectors) and not processor["cpu_name"].startswith("Intel")


def has_bfloat16() -> bool:
    """Return whether the GPU itself supports bfloat16, which torch can also emulate slowly."""
    return bool(torch.cuda.is_bf16_supported(including_emulation=False))


def find_half(model: PreTrainedModel) -> torch.dtype | None:
    """Return the half precision in which the device of a model multiplies fast, if it has one.

    None means single precision, in which weights are always kept. It is also returned for a model
    that cannot be computed in half precision, which is logged.
    """
    half = _fast_half(model.device)
    if half is None or _computes(model, half):
        return half
    logging.warning("%s is trained in single precision: it has no other", model.config.model_type)
    return None


def _fast_half(device: torch.device) -> torch.dtype | None:
    if device.type == "cpu":
        return torch.bfloat16 if multiplies_bfloat16() else None
    return torch.bfloat16 if has_bfloat16() else torch.float16


@torch.inference_mode()
def _computes(model: PreTrainedModel, half: torch.dtype) -> bool:
    """Return whether the model runs in `half`, which is too small for the masks of DeBERTa."""
    was_trained = model.training
    model.eval()
    try:
        with torch.autocast(model.device.type, dtype=half):
            model(torch.tensor([[1, 2, 3]], device=model.device))
    except RuntimeError as error:
        if "overflow" not in str(error):
            raise
        return False
    finally:
        model.train(was_trained)
    return True
