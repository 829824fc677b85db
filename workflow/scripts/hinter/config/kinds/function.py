"""Models of `kind: python`."""

import re
from collections.abc import Container
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from ..types import Count, FilePath
from .model import Model, Source

FUNCTION = r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$"


class Function(Model):
    """A Python function of the user."""

    opened_by = "models.function:FunctionModel"

    kind: Literal["python"]
    """a Python function of yours, called in the job"""
    function: str = Field(pattern=FUNCTION)
    """MODULE:FUNCTION; it gets a list of texts, and returns for each a label, a list of labels if
    texts may have several, or a mapping of every label to its score (a logit)"""
    folder: FilePath = "."
    """the folder of the module, which can import other modules in it"""
    version: Count = 1
    """increase it with every change of the function's answers that does not come from its module,
    such as other weights; answers of other versions are not used"""
    batch_size: Count = 32
    """maximum number of texts per call"""
    threads: Count = 2
    """number of CPU threads of its jobs"""
    device: Literal["auto", "cpu", "cuda"] = "cpu"
    """where it runs; with cuda each job requests a GPU, with auto if there is one"""

    @classmethod
    def entry_of(cls, named: str) -> dict[str, Any] | None:
        """Return the entry of MODULE:FUNCTION."""
        return {"function": named} if re.match(FUNCTION, named) else None

    def source(self, resources: Container[str]) -> Source:
        """Return the path of its module."""
        module, _, _ = self.function.partition(":")
        path = Path(self.folder, *module.split(".")).with_suffix(".py")
        return Source("function", path=str(path))


KIND = Function
