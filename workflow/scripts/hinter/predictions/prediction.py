"""Run a model on a suite, for results/predictions/{model}/{dataset}.parquet."""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..job import progress_bar
from ..models import Model, ParsedAnswer, Status, Truncation
from ..responses import Asker, ResponseStore, SuiteShard, source_metadata
from .inputs import Input, suite_inputs
from .opened import again_once_learnt

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


Advance = Callable[[int], object]
"""Receives the number of inputs that have been processed since its last call."""
ParsedAnswers = Callable[[Sequence[Input], Advance], Mapping[str, ParsedAnswer]]
"""Returns the parsed answers to distinct inputs, by input_id."""


@again_once_learnt
def write_predictions(
    model: Model,
    *,
    inputs: SuiteShard,
    store: ResponseStore,
    predictions: Path,
    note: Callable[[], str] | None = None,
) -> None:
    """Run `model` on a shard of a suite, with a progress bar, and write its rows, sorted.

    Responses in the store are not requested again. The bar shows the text of `note`. The metadata
    of the file identify the model (see `read_source`).
    """
    asker = Asker(model, store)
    write_parsed_answers(
        model,
        partial(_asked, asker),
        inputs=inputs,
        predictions=predictions,
        source=source_metadata(store.fingerprint),
        note=note,
    )
    alike = len(inputs) - asker.counts.total()
    logging.info(
        "%d inputs: %d asked, %d known, %d that are the same as others to the model",
        *(len(inputs), asker.counts["asked"], asker.counts["known"], alike),
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


def _asked(
    asker: Asker[ParsedAnswer], inputs: Sequence[Input], advance: Advance
) -> dict[str, ParsedAnswer]:
    """Return the answers of a model; inputs that are the same to it are asked about once."""
    distinct = {item.window.digest: item.text for item in inputs}
    advance(len(inputs) - len(distinct))
    parsed_answers = asker.ask(distinct, advance=advance)
    return {item.input_id: parsed_answers[item.window.digest] for item in inputs}


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
