"""Amounts of money as they are told."""

from decimal import Decimal


def in_dollars(amount: float) -> str:
    """Return an amount in dollars and cents, or with two significant digits below ten cents."""
    if amount == 0 or amount >= 0.1:
        return f"${amount:.2f}"
    return f"${Decimal(f'{amount:.2g}'):f}"
