"""Entries of the erratum, and numbers written out for them."""

from typing import NamedTuple

import pandas as pd

from ..writing import percent
from .numbers import KEYS

UNKNOWN = "cannot be derived"


class Entry(NamedTuple):
    """A number of the paper: as published, recomputed in the same way, corrected, and why."""

    place: str
    what: str
    published: str
    recomputed: str
    corrected: str
    why: str


class Numbers:
    """Numbers (see `as_numbers`), looked up by their key or written out."""

    def __init__(self, numbers: pd.DataFrame) -> None:
        self._rows = numbers.set_index(KEYS)

    def count(self, quantity: str, *, model: str = "all", part: str = "all") -> int:
        """Return a number."""
        return int(self._rows["count"][quantity, model, part])

    def of(self, quantity: str, *, model: str = "all", part: str = "all") -> int:
        """Return what a number is a share of."""
        return int(self._rows["of"][quantity, model, part])

    def text(self, quantity: str, *, model: str = "all", part: str = "all") -> str:
        """Return a number, what it is a share of and the share."""
        key = {"model": model, "part": part}
        return share(self.count(quantity, **key), self.of(quantity, **key))

    def rate(self, quantity: str, *, model: str = "all", part: str = "all") -> str:
        """Return the share alone."""
        return self.text(quantity, model=model, part=part).partition(" = ")[2]


def share(part: int, whole: int) -> str:
    """Return `part` of `whole`, with the percentage if there is one."""
    words = f"{part:,} of {whole:,}"
    return f"{words} = {percent(part / whole)} %" if whole else words
