"""Run a model on a suite, for results/predictions/{model}/{dataset}.parquet.

Originals can be asked about several times, to measure how often a model changes its answer by
itself.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..job import progress_bar
from ..models import ParsedAnswer, Status, Truncation
from ..responses import SuiteShard, source_metadata
from .inputs import Input, original_inputs, suite_inputs
from .opened import Opened, again_once_learnt

SCORES = pa.map_(pa.string(), pa.float32())
"""The log-odds of labels, sorted by name."""

PREDICTIONS_SCHEMA = pa.schema(
    [
        ("input_id", pa.string()),
        ("outcome", pa.list_(pa.string())),
        ("status", pa.string()),
        ("answer", pa.string()),
        ("scores", SCORES),
        ("visible_order", pa.int8()),
        ("input_hash", pa.string()),
    ]
)

REPEATS_SCHEMA = pa.schema(
    [
        ("original_id", pa.string()),
        ("repeat", pa.int32()),
        *(PREDICTIONS_SCHEMA.field(name) for name in ("outcome", "status", "answer", "scores")),
    ]
)

Advance = Callable[[int], object]
"""Receives the number of inputs that have been processed since its last call."""
ParsedAnswers = Callable[[Sequence[Input], Advance], Mapping[str, ParsedAnswer]]
"""Returns the parsed answers to distinct inputs, by input_id."""


@again_once_learnt
def write_predictions(opened: Opened, *, inputs: SuiteShard, predictions: Path) -> None:
    """Run a model on a shard of a suite, with a progress bar, and write its rows, sorted.

    Responses in the store are not requested again. The metadata of the file identify the model (see
    `read_source`).
    """
    write_parsed_answers(
        opened.asked,
        partial(_asked, opened),
        inputs=inputs,
        predictions=predictions,
        source=source_metadata(opened.store.fingerprint),
        note=opened.note,
    )
    alike = len(inputs) - opened.counts.total()
    logging.info(
        "%d inputs: %d asked, %d known, %d that are the same as others to the model",
        *(len(inputs), opened.counts["asked"], opened.counts["known"], alike),
    )


def write_parsed_answers(
    truncation: Truncation,
    parsed_answers: ParsedAnswers,
    *,
    inputs: SuiteShard,
    predictions: Path,
    source: Mapping[str, str] | None = None,
    note: Callable[[], str] | None = None,
) -> None:
    """Write the rows (PREDICTIONS_SCHEMA) of inputs, as truncated and answered, sorted.

    The metadata of the file are the `source` of the answers.
    """
    schema = PREDICTIONS_SCHEMA.with_metadata(source)
    with (
        pq.ParquetWriter(predictions, schema, compression="zstd") as writer,
        progress_bar(total=len(inputs), label="predict", unit=" texts", note=note) as bar,
    ):
        for block in inputs.blocks():
            tables = [
                _to_table(part, parsed_answers, advance=bar.update)
                for part in suite_inputs(truncation, block)
            ]
            writer.write_table(pa.concat_tables(tables).sort_by("input_id"))


def _asked(opened: Opened, inputs: Sequence[Input], advance: Advance) -> dict[str, ParsedAnswer]:
    """Return the answers of a model; inputs that are the same to it are asked about once."""
    texts = [(item.window.digest, item.text) for item in inputs]
    answers = opened.ask_each(texts, advance=advance)
    return {item.input_id: answer for item, answer in zip(inputs, answers, strict=True)}


def _to_table(
    inputs: Sequence[Input], parsed_answers: ParsedAnswers, *, advance: Advance
) -> pa.Table:
    changed = [item for item in inputs if not item.identical]
    advance(len(inputs) - len(changed))
    found = parsed_answers(changed, advance)
    unchanged = ParsedAnswer(Status.IDENTICAL)
    rows = [
        {
            "input_id": item.input_id,
            **found.get(item.input_id, unchanged)._asdict(),
            "visible_order": item.visible_order,
            "input_hash": item.window.digest,
        }
        for item in inputs
    ]
    return pa.Table.from_pylist(rows, schema=PREDICTIONS_SCHEMA)


def write_repeats(opened: Opened, *, inputs: SuiteShard, repeats: int, path: Path) -> None:
    """Ask each original of a suite `repeats` times, and write a row per answer.

    The first answer is that of the predictions. Answers in the store are not requested again.
    """
    total = inputs.mutated * repeats
    with (
        pq.ParquetWriter(path, REPEATS_SCHEMA, compression="zstd") as writer,
        progress_bar(total=total, label="repeat", unit=" answers", note=opened.note) as bar,
    ):
        for block in inputs.blocks():
            mutated = [text for text in block.originals if text.original_id in block.mutated]
            asked = [
                (item, number, key)
                for item in original_inputs(opened.asked, mutated)
                for number, key in enumerate(repeat_keys(item.window.digest, repeats=repeats), 1)
            ]
            texts = [(key, item.text) for item, _, key in asked]
            answers = opened.ask_each(texts, advance=bar.update)
            rows = [
                {"original_id": item.input_id, "repeat": number, **answer._asdict()}
                for (item, number, _), answer in zip(asked, answers, strict=True)
            ]
            writer.write_table(pa.Table.from_pylist(rows, schema=REPEATS_SCHEMA))
    logging.info(
        "%d answers: %d asked, %d known", total, opened.counts["asked"], opened.counts["known"]
    )


def repeat_keys(digest: str, *, repeats: int) -> list[str]:
    """Return the keys in the store of the answers to an input with this digest.

    The first is that of its prediction.
    """
    return [digest, *(f"{digest}#{number}" for number in range(2, repeats + 1))]
