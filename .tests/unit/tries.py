"""Every change is tested on some rows and examples of a kind, and a release on many."""

from collections.abc import Iterable
from typing import Any

import pytest


def tries(few: int, many: int) -> pytest.MarkDecorator:
    """Give a test the number of examples that it has `tried`."""
    return alike("tried", [few], [many])


def alike(
    names: str | tuple[str, ...], few: Iterable[Any], more: Iterable[Any], **options: Any
) -> pytest.MarkDecorator:
    """Give a test the rows `few` always, and for a release `more` of their kind."""
    of_release = [
        pytest.param(*(row if isinstance(names, tuple) else (row,)), marks=pytest.mark.release)
        for row in more
    ]
    return pytest.mark.parametrize(names, [*few, *of_release], **options)
