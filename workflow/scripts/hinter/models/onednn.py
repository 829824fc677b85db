"""Compute linear layers by oneDNN in single precision on a CPU, and load models in precisions.

By default, torch uses MKL, which has no AVX-512 on processors that are not made by Intel and takes
up to twice as long there.
"""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from transformers import PreTrainedModel


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
        found: torch.Tensor = torch._C._nn.mkldnn_linear(
            rows.to_mkldnn(), self._weight, self._bias
        ).to_dense()
        return found


class _Trained(torch.nn.Linear):  # type: ignore[misc]
    """A linear layer with the weights of another."""

    def __init__(self, layer: torch.nn.Linear) -> None:
        super().__init__(layer.in_features, layer.out_features, device="meta")
        self.weight, self.bias = layer.weight, layer.bias

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the rows times the weights, plus the bias."""
        found: torch.Tensor = _Product.apply(rows, self.weight, self.bias)
        return found


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
    found: torch.Tensor = torch._C._nn.mkldnn_linear(*parts).to_dense()
    return found


class Precisions(dict[torch.dtype, PreTrainedModel]):
    """A model by precision, loaded in each when it is first needed."""

    def __init__(self, load: Callable[[torch.dtype], PreTrainedModel]) -> None:
        super().__init__()
        self._load = load

    def __missing__(self, dtype: torch.dtype) -> PreTrainedModel:
        """Return the model in `dtype`."""
        self[dtype] = run_by_onednn(self._load(dtype))
        return self[dtype]
