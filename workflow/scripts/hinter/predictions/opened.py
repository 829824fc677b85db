"""A model ready to be asked, with the store of its responses and the account that pays for it."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

from ..corpora import JudgePrompt
from ..models import Learnt, Model, Task, open_model, read_task
from ..responses import ResponseStore
from .approval import compare_account, read_spending, spending_note


class Opened(NamedTuple):
    """A model, the store of its responses, and what a progress bar tells of its spending."""

    model: Model
    store: ResponseStore
    note: Callable[[], str] | None


def open_for_dataset(
    model: str | Path,
    *,
    corpus: Path,
    sheet: Mapping[str, Any],
    task: Mapping[str, Any],
    seed: int,
    store: str | Path,
    prompt: str | None = None,
    offsets: str | None = None,
    approval: str | None = None,
) -> Opened:
    """Return the model of a `sheet` as it is run on a dataset.

    Encoders have no `prompt`; `offsets` is the file of a model that scores labels, and `approval`
    that of the plan of a paid one.
    """
    return _open(
        Path(model),
        sheet=sheet,
        labels=task["labels"],
        multi_label=task["multi_label"],
        task=read_task(corpus=corpus, prompt=prompt, **task) if prompt else None,
        seed=seed,
        store=Path(store),
        offsets=offsets,
        approval=approval,
    )


def open_judge(
    judge: Path,
    *,
    prompt: JudgePrompt,
    sheet: Mapping[str, Any],
    seed: int,
    store: Path,
    approval: str | None,
) -> Opened:
    """Return the model of a `sheet` as it judges answers; `approval` is that of a paid one."""
    return _open(
        judge,
        sheet=sheet,
        labels=prompt.prompt.labels,
        multi_label=False,
        task=Task(prompt.prompt, (), multi_label=False),
        seed=seed,
        store=store,
        offsets=None,
        approval=approval,
    )


def _open(
    model: Path,
    *,
    sheet: Mapping[str, Any],
    labels: Sequence[str],
    multi_label: bool,
    task: Task | None,
    seed: int,
    store: Path,
    offsets: str | None,
    approval: str | None,
) -> Opened:
    spending = (
        read_spending(Path(approval), model=sheet["model"], store=store) if approval else None
    )
    opened = open_model(
        model,
        sheet=sheet,
        labels=labels,
        multi_label=multi_label,
        task=task,
        offsets=json.loads(Path(offsets).read_text(encoding="utf-8")) if offsets else None,
        seed=seed,
        spending=spending,
        notes=store,
    )
    responses = ResponseStore(store, fingerprint=opened.fingerprint)
    if spending:
        compare_account(spending.ledger, responses)
    return Opened(opened, responses, spending_note(store) if spending else None)


def again_once_learnt(write: Callable[..., None]) -> Callable[..., None]:
    """Return `write`, which begins again, with the store that is then right, at each `Learnt`."""

    @wraps(write)
    def writing(model: Model, *, store: ResponseStore, **rest: Any) -> None:
        while True:
            try:
                return write(model, store=store, **rest)
            except Learnt:
                store = ResponseStore(store.path.parent, fingerprint=model.fingerprint)

    return writing
