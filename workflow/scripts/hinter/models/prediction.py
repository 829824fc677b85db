"""Run a model on a suite: results/predictions/{model}/{dataset}.parquet of the contract."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import Text, read_split
from ..dictionary import WordPair, read_pairs
from ..job import progress_bar
from ..mutation import place_pairs, render_with_spans

PREDICTIONS_SCHEMA = pa.schema(
    [
        ("input_id", pa.string()),
        ("outcome", pa.list_(pa.string())),
        ("status", pa.string()),
        ("answer", pa.string()),
        ("visible_order", pa.int8()),
        ("input_hash", pa.string()),
    ]
)
MUTANTS_AT_ONCE = 4096


class Status(StrEnum):
    """`ok` where there is an outcome; `identical` where the model sees no change and is not run."""

    OK = "ok"
    IDENTICAL = "identical"


class Model(Protocol):
    """What a model under test can do."""

    def visible_lengths(self, texts: Sequence[str]) -> list[int]:
        """Return how many leading characters of each text the model sees."""

    def outcomes(
        self, texts: Sequence[str], *, advance: Callable[[int], object]
    ) -> list[tuple[str, ...]]:
        """Return the outcome (label names, sorted) of each text."""


class _Input(NamedTuple):
    input_id: str
    seen: str
    visible_order: int
    status: Status


def write_predictions(
    model: Model, *, corpus: Path, suite: Path, pairs: Path, predictions: Path
) -> None:
    """Run `model` on the held-out texts, the originals and the mutants of a suite.

    Rows are written as they come, sorted within originals and mutants, with a progress bar.
    """
    mutants = pq.read_table(suite, columns=["original_id"])
    tested = set(mutants["original_id"].to_pylist())
    originals = read_split(corpus, split="held_out") + [
        text for text in read_split(corpus, split="tested") if text.original_id in tested
    ]
    by_id = {pair.pair_id: pair for pair in read_pairs(pairs)}
    total = len(originals) + mutants.num_rows
    with (
        pq.ParquetWriter(predictions, PREDICTIONS_SCHEMA, compression="zstd") as writer,
        progress_bar(total=total, label="predict", unit=" texts") as bar,
    ):
        for table in predict_suite(
            model, originals=originals, suite=suite, pairs=by_id, advance=bar.update
        ):
            writer.write_table(table)


def predict_suite(
    model: Model,
    *,
    originals: Sequence[Text],
    suite: Path,
    pairs: Mapping[str, WordPair],
    advance: Callable[[int], object],
) -> Iterator[pa.Table]:
    """Yield tables (PREDICTIONS_SCHEMA) of the originals, then of the suite's mutants, in order.

    A mutant of which the model sees nothing changed is `identical` and not run. `advance` is told
    of inputs as they are finished.
    """
    texts = {original.original_id: original.text for original in originals}
    seen = dict(zip(texts, _seen(model, list(texts.values())), strict=True))
    yield _answered(
        model, [_Input(key, text, 0, Status.OK) for key, text in seen.items()], advance=advance
    )
    columns = ["mutant_id", "original_id", "pair_ids"]
    for batch in pq.ParquetFile(suite).iter_batches(MUTANTS_AT_ONCE, columns=columns):
        rows = batch.to_pylist()
        inputs = _mutant_inputs(model, rows, texts=texts, seen=seen, pairs=pairs)
        yield _answered(model, inputs, advance=advance)


def _mutant_inputs(
    model: Model,
    rows: Sequence[Mapping[str, Any]],
    *,
    texts: Mapping[str, str],
    seen: Mapping[str, str],
    pairs: Mapping[str, WordPair],
) -> list[_Input]:
    mutants, starts = [], []
    for row in rows:
        original = texts[row["original_id"]]
        placed = place_pairs(original, [pairs[pair_id] for pair_id in row["pair_ids"]])
        mutant, spans = render_with_spans(original, chain.from_iterable(placed))
        mutants.append(mutant)
        starts.append([min(spans[place.span][0] for place in places) for places in placed])
    return [
        _mutant_input(row, shown, first_places=first, original=seen[row["original_id"]])
        for row, shown, first in zip(rows, _seen(model, mutants), starts, strict=True)
    ]


def _mutant_input(
    row: Mapping[str, Any], shown: str, *, first_places: Sequence[int], original: str
) -> _Input:
    visible_order = sum(place < len(shown) for place in first_places)
    if visible_order == 0 or shown == original:
        return _Input(row["mutant_id"], shown, 0, Status.IDENTICAL)
    return _Input(row["mutant_id"], shown, visible_order, Status.OK)


def _seen(model: Model, texts: Sequence[str]) -> list[str]:
    lengths = model.visible_lengths(texts)
    return [text[:length] for text, length in zip(texts, lengths, strict=True)]


def _answered(
    model: Model, inputs: Sequence[_Input], *, advance: Callable[[int], object]
) -> pa.Table:
    distinct = list(dict.fromkeys(item.seen for item in inputs if item.status == Status.OK))
    outcomes = model.outcomes(distinct, advance=advance) if distinct else []
    advance(len(inputs) - len(distinct))
    known = dict(zip(distinct, outcomes, strict=True))
    rows = [
        {
            "input_id": item.input_id,
            "outcome": known[item.seen] if item.status == Status.OK else None,
            "status": item.status.value,
            "answer": None,
            "visible_order": item.visible_order,
            "input_hash": hashlib.sha256(item.seen.encode()).hexdigest()[:16],
        }
        for item in inputs
    ]
    return pa.Table.from_pylist(rows, schema=PREDICTIONS_SCHEMA)
