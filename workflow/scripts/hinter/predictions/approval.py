"""The approval of a plan: what paid runs may spend, at which prices."""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

from ..models import NANO_DOLLARS, Ledger, Prices, Spending

LEDGER = "spending.sqlite"
"""The file in the store that says what was spent, by all studies that share it."""


def write_approval(
    path: Path, *, budget_usd: float | None, prices: Mapping[str, Mapping[str, float]]
) -> None:
    """Write the budget and the prices of models, by their names, in dollars per million tokens."""
    document = {"budget_usd": budget_usd, "prices": prices}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def read_spending(approval: Path, *, model: str, store: Path) -> Spending | None:
    """Return the account that pays for a model's calls, None where it has no price."""
    document = json.loads(approval.read_text(encoding="utf-8"))
    prices = find_prices(document["prices"], model=model)
    if prices is None:
        return None
    return Spending(Ledger(store / LEDGER, document["budget_usd"]), prices)


def find_prices(prices: Mapping[str, Mapping[str, float]], *, model: str) -> Prices | None:
    """Return the prices of a model, None where it has none."""
    return Prices(prices[model]["input"], prices[model]["output"]) if model in prices else None


def spent_dollars(store: Path) -> float:
    """Return what the store says was spent or may have been, in dollars."""
    if not (store / LEDGER).is_file():
        return 0.0
    return sum(Ledger(store / LEDGER, None).sums()) / NANO_DOLLARS


def spending_note(store: Path) -> Callable[[], str]:
    """Return what tells, each time it is called, what the store says was spent by then."""
    return lambda: f"{in_dollars(spent_dollars(store))} spent"


def in_dollars(amount: float) -> str:
    """Return an amount with its cents, one below ten cents with two digits."""
    if amount == 0 or amount >= 0.1:
        return f"${amount:.2f}"
    return f"${Decimal(f'{amount:.2g}'):f}"
