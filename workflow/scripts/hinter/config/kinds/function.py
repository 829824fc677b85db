"""Models of `kind: python`."""

from collections.abc import Container
from pathlib import Path
from typing import Literal

from pydantic import Field

from ..types import Count, FilePath
from .model import Model, Source


class Function(Model):
    """A function of the user's."""

    opened_by = "models.function:open_function"

    kind: Literal["python"]
    """a Python function of yours, called in the job"""
    function: str = Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$")
    """MODULE:FUNCTION; it is given a list of texts, and returns for each a label, a list of labels
    where texts may have several, or a mapping of every label to its score (a logit)"""
    folder: FilePath = "."
    """the folder in which the module stands; others beside it can be imported"""
    version: Count = 1
    """raised with every change of what the function answers that is not in its module, such as
    other weights; answers of another version are not used"""
    batch_size: Count = 32
    """most texts per call"""
    threads: Count = 2
    """CPU threads that its jobs take"""
    device: Literal["auto", "cpu", "cuda"] = "cpu"
    """where it computes; cuda has each job ask for a GPU, auto does where there is one"""

    def source(self, resources: Container[str]) -> Source:
        """Return the path of its module."""
        module, _, _ = self.function.partition(":")
        path = Path(self.folder, *module.split(".")).with_suffix(".py")
        return Source("function", path=str(path))


KIND = Function
