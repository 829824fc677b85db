"""Models of `kind: answers`."""

from typing import Literal

from pydantic import Field

from ..types import FilePath
from .model import Model


class Answers(Model):
    """A model that is asked elsewhere."""

    kind: Literal["answers"]
    """a model that is asked elsewhere: `snakemake suite` writes what it is to be asked, and its
    answers are read from files"""
    files: dict[str, FilePath] = Field(min_length=1)
    """its answers to each dataset: a CSV, JSON lines or Parquet file"""


KIND = Answers
