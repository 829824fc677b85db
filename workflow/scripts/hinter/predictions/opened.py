"""Open a model with the store of its responses and the account that pays for it."""

import json
import logging
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..corpora import JudgePrompt
from ..dollars import in_dollars
from ..models import Learnt, Model, Task, open_model, read_task
from ..responses import ResponseStore
from .approval import compare_account, read_spending, spent_dollars

T = TypeVar("T")


class Opened(NamedTuple):
    """A model, the store of its responses, and the text about its spending in a progress bar."""

    model: Any
    store: ResponseStore
    note: Callable[[], str] | None


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
    spending = (
        read_spending(Path(approval), model=sheet["model"], store=store) if approval else None
    )
    options = {"offsets": None, **given, "spending": spending, "notes": store}
    opened = open_model(model, sheet=sheet, **options)
    responses = ResponseStore(store, fingerprint=opened.fingerprint)
    if spending is None:
        return Opened(opened, responses, None)
    compare_account(spending.ledger, responses)
    return Opened(opened, responses, lambda: f"{in_dollars(spent_dollars(store))} spent")


def again_once_learnt(ask: Callable[..., T]) -> Callable[..., T]:
    """Return `ask`, which starts again with the right store whenever `Learnt` is raised."""

    @wraps(ask)
    def asking(model: Model, *, store: ResponseStore, **rest: Any) -> T:
        while True:
            try:
                return ask(model, store=store, **rest)
            except Learnt as learnt:
                logging.info("%s", learnt)
                store = ResponseStore(store.path.parent, fingerprint=model.fingerprint)

    return asking
