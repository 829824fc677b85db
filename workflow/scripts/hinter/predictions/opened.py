"""Open a model with the store of its responses and the account that pays for it.

The budget and the prices of paid runs are those of an approved plan.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from ..corpora import JudgePrompt
from ..dollars import in_dollars
from ..job import warn
from ..models import (
    NANO_DOLLARS,
    Learnt,
    Ledger,
    ParsedAnswer,
    Prices,
    Spending,
    Task,
    open_model,
    read_task,
)
from ..responses import Asker, ResponseStore

LEDGER = "spending.sqlite"
"""The file in the store with the spending of all studies that share the store."""

T = TypeVar("T")


@dataclass(frozen=True)
class Opened(Asker[ParsedAnswer]):
    """A model and the store of its responses.

    `note` gives the text about its spending in a progress bar, if it is paid.
    """

    note: Callable[[], str] | None = None


def open_for_dataset(
    model: str | Path,
    *,
    corpus: Path,
    asking: Mapping[str, Any],
    prompt: str | None = None,
    offsets: str | None = None,
    approval: str | None = None,
) -> Opened:
    """Return a model that is ready to run on a dataset.

    `asking` says how a study asks it: its `sheet`, `task`, `seed` and the folder of the `store`.
    Encoders have no `prompt`. `offsets` is a file for models that score labels, and `approval` is
    the approved plan of a paid one.
    """
    task = asking["task"]
    return _open(
        Path(model),
        sheet=asking["sheet"],
        store=Path(asking["store"]),
        approval=approval,
        seed=asking["seed"],
        **task,
        task=read_task(corpus=corpus, prompt=prompt, **task) if prompt else None,
        offsets=json.loads(Path(offsets).read_text(encoding="utf-8")) if offsets else None,
    )


def open_judge(
    judge: Path,
    *,
    prompt: JudgePrompt,
    sheet: Mapping[str, Any],
    seed: int,
    store: Path,
    approval: str | None = None,
) -> Opened:
    """Return the model of a `sheet` as a judge of answers; `approval` is that of a paid one."""
    task = Task(prompt.prompt, (), multi_label=False)
    given = {"labels": prompt.prompt.labels, "multi_label": False, "task": task, "seed": seed}
    return _open(judge, sheet=sheet, store=store, approval=approval, **given)


def _open(
    model: Path, *, sheet: Mapping[str, Any], store: Path, approval: str | None, **given: Any
) -> Opened:
    spending = None
    if approval:
        approved = json.loads(Path(approval).read_text(encoding="utf-8"))
        spending = find_spending(**approved, model=sheet["model"], store=store)
    options = {"offsets": None, **given, "spending": spending, "notes": store}
    opened = open_model(model, sheet=sheet, **options)
    responses = ResponseStore(store, fingerprint=opened.fingerprint)
    if spending is None:
        return Opened(opened, responses)
    compare_account(spending.ledger, responses)
    return Opened(opened, responses, note=lambda: f"{in_dollars(spent_dollars(store))} spent")


def again_once_learnt(ask: Callable[..., T]) -> Callable[..., T]:
    """Return `ask`, which starts again with the right store whenever `Learnt` is raised."""

    @wraps(ask)
    def asking(opened: Opened, **rest: Any) -> T:
        while True:
            try:
                return ask(opened, **rest)
            except Learnt as learnt:
                logging.info("%s", learnt)
                fingerprint = opened.asked.fingerprint
                store = ResponseStore(opened.store.path.parent, fingerprint=fingerprint)
                opened = Opened(opened.asked, store, note=opened.note)

    return asking


def write_approval(
    path: Path, *, budget_usd: float | None, prices: Mapping[str, Mapping[str, float]]
) -> None:
    """Write the budget and the prices of models, by name, in dollars per million tokens."""
    document = {"budget_usd": budget_usd, "prices": prices}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


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
