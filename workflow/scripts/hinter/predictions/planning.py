"""The cost of a run behind an endpoint, before the first paid call."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from ..dictionary import read_pairs
from ..job import progress_bar
from ..models import Model, Prices
from ..responses import ResponseStore, SuiteShard
from .inputs import Input, suite_inputs
from .repeats import repeat_keys

PLAN_SCHEMA = pa.schema(
    [
        ("input_id", pa.string()),
        ("calls", pa.int64()),
        ("repeats", pa.int64()),
        ("input_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("nano_dollars", pa.int64()),
    ]
)

CASES_ID = "|cases"
"""Stands for the calls about cases; no input has this id."""


class PaidModel(Model, Protocol):
    """A model that is paid by the token."""

    @property
    def max_answer_tokens(self) -> int:
        """The most tokens that an answer may take."""

    def input_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the most tokens that asking about each text may take."""


def write_plan(
    model: PaidModel,
    *,
    inputs: SuiteShard,
    pairs: Path,
    store: ResponseStore,
    repeats: int,
    case_answers: int,
    prices: Prices | None,
    plan: Path,
) -> None:
    """Write a row (PLAN_SCHEMA) for each input with calls that the store cannot answer.

    Tokens and dollars are the most that its calls may take; dollars are null without prices. Among
    inputs that look the same to the model, only the first counts. Each original of the suite is
    asked about `repeats` times: all its calls but the first are its repeats.

    The last row, `CASES_ID`, has the calls about cases, which are not known before all others are
    answered: `case_answers`, each with as many tokens as the longest of the planned inputs. It is
    left out where no other call is planned.
    """
    by_id = {pair.pair_id: pair for pair in read_pairs(pairs)}
    planned: set[str] = set()
    longest = 0
    row = partial(_row, model, prices=prices)
    with (
        pq.ParquetWriter(plan, PLAN_SCHEMA, compression="zstd") as writer,
        progress_bar(total=len(inputs), label="plan", unit=" texts") as bar,
    ):
        for block in inputs.blocks():
            times = dict.fromkeys(block.mutated, repeats)
            for part in suite_inputs(model, block, pairs=by_id):
                asked = _new_calls(part, times=times, planned=planned, store=store)
                tokens = model.input_tokens([item.text for item, _, _ in asked])
                longest = max(longest, *tokens) if tokens else longest
                rows = [
                    row(item.input_id, calls=calls, repeats=again, input_tokens=each)
                    for (item, calls, again), each in zip(asked, tokens, strict=True)
                ]
                writer.write_table(pa.Table.from_pylist(rows, schema=PLAN_SCHEMA))
                bar.update(len(part))
        if longest and case_answers:
            rows = [row(CASES_ID, calls=case_answers, repeats=0, input_tokens=longest)]
            writer.write_table(pa.Table.from_pylist(rows, schema=PLAN_SCHEMA))


def _new_calls(
    part: Sequence[Input], *, times: Mapping[str, int], planned: set[str], store: ResponseStore
) -> list[tuple[Input, int, int]]:
    """Return the inputs with calls that are neither planned nor answered.

    Each comes with the number of these calls, and how many of them are repeats. `times` holds how
    often an input is asked about, if more than once.
    """
    keys = [
        (item, repeat_keys(item.window.digest, repeats=times.get(item.input_id, 1)))
        for item in part
        if not item.identical
    ]
    known = store.get([key for _, several in keys for key in several]).keys()
    asked = []
    for item, several in keys:
        new = set(several) - known - planned
        planned.update(new)
        if new:
            asked.append((item, len(new), len(new & set(several[1:]))))
    return asked


def _row(
    model: PaidModel,
    input_id: str,
    *,
    calls: int,
    repeats: int,
    input_tokens: int,
    prices: Prices | None,
) -> dict[str, Any]:
    taken = {"input_tokens": input_tokens, "output_tokens": model.max_answer_tokens}
    return {
        "input_id": input_id,
        "calls": calls,
        "repeats": repeats,
        **{name: calls * number for name, number in taken.items()},
        "nano_dollars": None if prices is None else calls * prices.cost(**taken),
    }
