"""Random tests try some examples with every change, and many for a release."""

import pytest


def tries(few: int, many: int) -> pytest.MarkDecorator:
    """Give a test the number of examples that it has `tried`."""
    return pytest.mark.parametrize("tried", [few, pytest.param(many, marks=pytest.mark.release)])
