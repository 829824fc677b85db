"""The approval of a plan: the budget and the prices of paid runs."""

import json
from collections.abc import Mapping
from pathlib import Path

from ..job import warn
from ..models import NANO_DOLLARS, Ledger, Prices, Spending
from ..responses import ResponseStore

LEDGER = "spending.sqlite"
"""The file in the store with the spending of all studies that share the store."""


def write_approval(
    path: Path, *, budget_usd: float | None, prices: Mapping[str, Mapping[str, float]]
) -> None:
    """Write the budget and the prices of models, by name, in dollars per million tokens."""
    document = {"budget_usd": budget_usd, "prices": prices}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def read_spending(approval: Path, *, model: str, store: Path) -> Spending | None:
    """Return the account that pays for a model's calls, or None if it has no price."""
    return find_spending(
        **json.loads(approval.read_text(encoding="utf-8")), model=model, store=store
    )


def find_spending(
    prices: Mapping[str, Mapping[str, float]], *, model: str, store: Path, budget_usd: float | None
) -> Spending | None:
    """Return the account that pays for a model's calls, None where it has no price."""
    found = find_prices(prices, model=model)
    return Spending(open_ledger(store, budget_usd=budget_usd), found) if found else None


def find_prices(prices: Mapping[str, Mapping[str, float]], *, model: str) -> Prices | None:
    """Return the prices of a model, or None if it has none."""
    return Prices(prices[model]["input"], prices[model]["output"]) if model in prices else None


def planned_prices(
    prices: Mapping[str, Mapping[str, float]], *, model: str, store: ResponseStore
) -> Prices | None:
    """Return the prices of a model whose responses are in a store, compared with its account."""
    found = find_prices(prices, model=model)
    if found:
        compare_account(open_ledger(store.path.parent), store)
    return found


def open_ledger(store: Path, *, budget_usd: float | None = None) -> Ledger:
    """Return the ledger in a store of responses."""
    return Ledger(store / LEDGER, budget_usd)


def spent_dollars(store: Path) -> float:
    """Return the dollars that were spent or may have been spent, according to the store."""
    if not (store / LEDGER).is_file():
        return 0.0
    return sum(open_ledger(store).sums()) / NANO_DOLLARS


def compare_account(ledger: Ledger, responses: ResponseStore) -> None:
    """Warn if a ledger and the responses of a model do not agree, as one of them has lost entries.

    The ledger's count is then corrected to the stored answers, so that each loss is reported once.
    """
    fingerprint = responses.fingerprint
    before = ledger.answers(fingerprint)
    received, asked = responses.count_received()
    paid = ledger.answers(fingerprint)
    # Other jobs may be running: an answer is paid for first, then kept, and claimed until then.
    lost, unknown = before - received - asked, received - paid
    if lost <= 0 and unknown <= 0:
        return
    right = paid - lost if lost > 0 else received
    # Another job may have reported it already.
    if not ledger.correct_answers(fingerprint, counted=paid, right=right):
        return
    if lost > 0:
        warn(
            "%s: %d answers that %s counts are missing: a job was killed while waiting for them, "
            "or the file was damaged or replaced. They are asked again, and may cost twice",
            *(responses.path, lost, ledger.path),
        )
    else:
        warn(
            "%s has no record of %d responses in %s: it was damaged or replaced, or their calls "
            "had no price. Their cost is not counted in the budget",
            *(ledger.path, unknown, responses.path),
        )
