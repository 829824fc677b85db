"""Format amounts of money."""

from decimal import Decimal


def in_dollars(amount: float) -> str:
    """Return an amount in dollars and cents, below ten cents with two significant digits."""
    if amount == 0 or amount >= 0.1:
        return f"${amount:.2f}"
    return f"${Decimal(f'{amount:.2g}'):f}"
