"""Reading sheets: YAML against a model, with a line of ours for what does not fit."""

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..yaml_files import read_yaml
from .messages import refusal

M = TypeVar("M", bound=BaseModel)


def read_sheet(path: str | Path, model: type[M]) -> M:
    """Return the YAML sheet in `path`, with the defaults of its model filled in.

    Raises `InputError` when the file is missing, is not YAML, or does not fit the model.
    """
    return check_sheet(read_yaml(path), model, where=str(path))


def check_sheet(document: Any, model: type[M], *, where: str) -> M:
    """Return `document` as its model, raising `InputError` where it does not fit."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise refusal(error, model=model, where=where) from None
