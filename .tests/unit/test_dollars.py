"""Amounts of money as they are told."""

import pytest
from hinter.dollars import in_dollars


@pytest.mark.parametrize(
    ("amount", "shown"),
    [(0, "$0.00"), (12, "$12.00"), (0.126, "$0.13"), (0.0657, "$0.066"), (2e-7, "$0.0000002")],
)
def test_small_amounts_are_shown_with_two_digits_at_most(amount: float, shown: str) -> None:
    assert in_dollars(amount) == shown
