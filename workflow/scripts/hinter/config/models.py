"""The models sheet, with entries of any kind, and the price sheet."""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, RootModel

from .kinds import KINDS
from .kinds.model import Model
from .types import Number, Sheet, text

ModelName = Annotated[
    str,
    text(
        r"^[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*$",
        name="model name",
        about="a model's name of lower-case letters, digits, hyphens, underscores and single dots "
        "inside",
    ),
]
if TYPE_CHECKING:
    AnyModel = Model
else:
    AnyModel = Annotated[reduce(or_, KINDS.values()), Field(discriminator="kind")]


class Models(RootModel[dict[ModelName, AnyModel]]):
    """The models sheet."""


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
