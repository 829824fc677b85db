"""The price sheet."""

from pydantic import Field, RootModel

from .types import Number, Sheet


class Price(Sheet):
    """What a model behind an endpoint costs."""

    input: Number = Field(description="US dollars per million tokens asked")
    output: Number = Field(description="US dollars per million tokens answered")
    of: str = Field(description="whose price it is, and of when")


class Prices(RootModel[dict[str, Price]]):
    """The price sheet, by the model's name on its server."""
