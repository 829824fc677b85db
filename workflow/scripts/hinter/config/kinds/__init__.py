"""The models sheet, with entries of any kind, and the price sheet.

Each module in this folder is a kind of model, and ends with `KIND`, the model of its entries.
`KINDS` has them by name.
"""

from functools import reduce
from importlib import import_module
from operator import or_
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, get_args

from pydantic import Field, RootModel

from ..types import Number, Sheet, text
from .model import Model

_MODULES = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
_FOUND: list[type[Model]] = [module.KIND for module in _MODULES if hasattr(module, "KIND")]
KINDS = {str(get_args(kind.model_fields["kind"].annotation)[0]): kind for kind in _FOUND}
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
