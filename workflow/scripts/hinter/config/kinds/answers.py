"""Models of `kind: answers`."""

from typing import Literal

from pydantic import Field

from ..types import FilePath
from .model import Model


class Answers(Model):
    """A model that is asked outside this workflow."""

    kind: Literal["answers"]
    """a model that is asked outside this workflow: `snakemake suite` writes its texts, and its
    answers are read from files"""
    files: dict[str, FilePath] = Field(min_length=1)
    """its answers to each dataset: a CSV, JSON lines or Parquet file"""


KIND = Answers
