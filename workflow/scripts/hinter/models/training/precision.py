"""The precision in which an encoder is trained."""

import logging

import torch
from transformers import PreTrainedModel

from ..hardware import has_bfloat16, multiplies_bfloat16


def find_half(model: PreTrainedModel) -> torch.dtype | None:
    """Return the half precision in which the device of a model multiplies fast, if it has one.

    None stands for single precision, in which weights are kept in any case. It is returned too for
    a model that cannot be computed otherwise, and the log says so.
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
    """Tell whether the model can be run; DeBERTa fills its masks with numbers too large for it."""
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
