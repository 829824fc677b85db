"""The price sheet."""

from pydantic import RootModel

from .types import Number, Sheet


class Price(Sheet):
    """What a model behind an endpoint costs."""

    input: Number
    """US dollars per million tokens asked"""
    output: Number
    """US dollars per million tokens answered"""
    of: str
    """whose price it is, and of when"""


class Prices(RootModel[dict[str, Price]]):
    """The price sheet, by the model's name on its server."""
