"""One model in several precisions."""

import copy

import torch
from transformers import PreTrainedModel


class Precisions(dict[torch.dtype, PreTrainedModel]):
    """A loaded model by its precision, and copies in others, each made when it is first needed."""

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__({model.dtype: model})
        self._loaded = model

    def __missing__(self, dtype: torch.dtype) -> PreTrainedModel:
        """Return the model in `dtype`."""
        self[dtype] = copy.deepcopy(self._loaded).to(dtype)
        return self[dtype]
