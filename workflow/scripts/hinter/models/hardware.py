"""Choose the device of a model and the precision in which it runs or is trained.

On a CPU, linear layers in single precision are computed by oneDNN. By default, torch uses MKL,
which has no AVX-512 on processors that are not made by Intel and takes up to twice as long there.
"""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

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
    if model.device.type == "cpu":
        half = torch.bfloat16 if multiplies_bfloat16() else None
    else:
        half = torch.bfloat16 if has_bfloat16() else torch.float16
    if half is None or _computes(model, half):
        return half
    logging.warning("%s is trained in single precision: it has no other", model.config.model_type)
    return None


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


def run_by_onednn(model: PreTrainedModel) -> PreTrainedModel:
    """Return the model with its layers replaced in place for inference, except its head."""
    if _is_faster(model):
        for parent, name, layer in _linear_layers(model.base_model):
            setattr(parent, name, _Run(layer))
    return model


def train_by_onednn(model: PreTrainedModel) -> PreTrainedModel:
    """Return the model with its layers replaced in place for training."""
    if _is_faster(model):
        for parent, name, layer in _linear_layers(model):
            if layer.bias is not None:
                setattr(parent, name, _Trained(layer))
    return model


def _linear_layers(
    model: torch.nn.Module,
) -> Iterator[tuple[torch.nn.Module, str, torch.nn.Linear]]:
    """Yield linear layers with the modules that contain them, and their names there."""
    for parent in list(model.modules()):
        for name, layer in parent.named_children():
            if type(layer) is torch.nn.Linear:
                yield parent, name, layer


def _is_faster(model: PreTrainedModel) -> bool:
    there = bool(torch.backends.mkldnn.is_available())
    return there and model.device.type == "cpu" and model.dtype == torch.float32


class _Run(torch.nn.Module):  # type: ignore[misc]
    """A linear layer without gradients.

    Torch has such a layer, but it is compiled, which takes longer.
    """

    def __init__(self, layer: torch.nn.Linear) -> None:
        super().__init__()
        weight, bias = layer.weight.detach(), layer.bias
        none = torch.zeros(layer.out_features)
        self._weight = weight.to_mkldnn()
        self._bias = (none if bias is None else bias.detach()).to_mkldnn()

    @property
    def weight(self) -> torch.Tensor:
        """The weights, which some models use outside the layer."""
        return self._weight.to_dense()

    @property
    def bias(self) -> torch.Tensor:
        """The bias, which is added to each row."""
        return self._bias.to_dense()

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the rows times the weights, plus the bias."""
        # An expert may get no rows, which oneDNN does not accept.
        if not rows.numel():
            return rows.new_empty(*rows.shape[:-1], self._weight.shape[0])
        return torch._C._nn.mkldnn_linear(rows.to_mkldnn(), self._weight, self._bias).to_dense()


class _Trained(torch.nn.Linear):  # type: ignore[misc]
    """A linear layer with the weights of another."""

    def __init__(self, layer: torch.nn.Linear) -> None:
        super().__init__(layer.in_features, layer.out_features, device="meta")
        self.weight, self.bias = layer.weight, layer.bias

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the rows times the weights, plus the bias."""
        return _Product.apply(rows, self.weight, self.bias)


class _Product(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(
        context: Any, rows: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor
    ) -> torch.Tensor:
        context.save_for_backward(rows, weight)
        return _product(rows, weight, bias)

    @staticmethod
    def backward(
        context: Any, *gradients: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        rows, weight = context.saved_tensors
        (of_found,) = gradients
        flat, rows = of_found.flatten(0, -2), rows.flatten(0, -2)
        none = torch.zeros(weight.shape[1])
        of_rows = _product(of_found, weight.t().contiguous(), none)
        return of_rows, _product(flat.t(), rows.t().contiguous(), none), flat.sum(0)


def _product(rows: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    parts = (part.contiguous().to_mkldnn() for part in (rows, weight, bias))
    return torch._C._nn.mkldnn_linear(*parts).to_dense()


class Precisions(dict[torch.dtype, PreTrainedModel]):
    """The model in a folder by precision, loaded in each when it is first needed.

    Its outcomes are those in `dtype`, which is that of the `sheet`, or at least float32 if scores
    of labels are kept. It runs first in the precision `screening`.
    """

    def __init__(
        self, load: Callable[..., PreTrainedModel], folder: Path, *, sheet: Mapping[str, Any]
    ) -> None:
        super().__init__()
        self.device, stored = find_device(sheet["device"]), DTYPES[sheet["dtype"]]
        # In half precision, the noise of batching would change the first decimal of scores.
        self.dtype = torch.float32 if sheet["scores"] else stored
        self.screening = self.dtype if sheet["scores"] else screening_dtype(self.device, stored)
        self._load = partial(load, folder, dtype=stored)

    def __missing__(self, dtype: torch.dtype) -> PreTrainedModel:
        """Return the model in `dtype`."""
        self[dtype] = run_by_onednn(self._load().to(self.device, dtype))
        return self[dtype]
