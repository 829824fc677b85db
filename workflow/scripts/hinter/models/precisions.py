"""One model in several precisions."""

from collections.abc import Callable

import torch
from transformers import PreTrainedModel

from .onednn import run_by_onednn


class Precisions(dict[torch.dtype, PreTrainedModel]):
    """A model by its precision, loaded in each when that is first needed."""

    def __init__(self, load: Callable[[torch.dtype], PreTrainedModel]) -> None:
        super().__init__()
        self._load = load

    def __missing__(self, dtype: torch.dtype) -> PreTrainedModel:
        """Return the model in `dtype`."""
        self[dtype] = run_by_onednn(self._load(dtype))
        return self[dtype]
