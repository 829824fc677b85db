"""From a model's entry in the models sheet to the model, ready to use."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .endpoint import Spending
from .function import open_function
from .model import Model
from .task import Task


def open_model(
    folder: Path,
    *,
    sheet: Mapping[str, Any],
    labels: Sequence[str],
    multi_label: bool,
    task: Task | None,
    offsets: Mapping[str, float] | None,
    seed: int,
    spending: Spending | None,
) -> Model:
    """Return the model that a `sheet` describes, from the folder of its files.

    For an endpoint, the folder is that of its tokenizer; for a function, it is the module. Encoders
    and functions have no `task`. `offsets` are those of a model that scores labels, `spending` is
    the account of a paid one.
    """
    # Each kind has libraries of its own that take long to import.
    if task and sheet["kind"] == "endpoint":
        from .endpoint.opening import open_endpoint

        return open_endpoint(folder, sheet=sheet, task=task, seed=seed, spending=spending)
    if sheet["kind"] == "python":
        return open_function(folder, sheet=sheet, labels=labels, multi_label=multi_label)
    from .local import open_local

    return open_local(
        folder, sheet=sheet, labels=labels, multi_label=multi_label, task=task, offsets=offsets
    )
