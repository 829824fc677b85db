"""The price sheet."""

from pydantic import RootModel

from .types import Number, Sheet


class Price(Sheet):
    """The price of a model behind an endpoint."""

    input: Number
    """US dollars per million tokens of prompts"""
    output: Number
    """US dollars per million tokens of answers"""
    of: str
    """who charges this price, and on which date"""


class Prices(RootModel[dict[str, Price]]):
    """The price sheet, by the model's name on its server."""
