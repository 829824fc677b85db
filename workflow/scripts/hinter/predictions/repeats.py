"""Ask about originals several times, to measure how often a model changes its answer by itself."""

import logging
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..job import progress_bar
from ..models import Model
from ..responses import Asker, ResponseStore, SuiteShard
from .inputs import original_inputs
from .prediction import PREDICTIONS_SCHEMA

REPEATS_SCHEMA = pa.schema(
    [
        ("original_id", pa.string()),
        ("repeat", pa.int32()),
        *(PREDICTIONS_SCHEMA.field(name) for name in ("outcome", "status", "answer", "scores")),
    ]
)


def write_repeats(
    model: Model,
    *,
    inputs: SuiteShard,
    repeats: int,
    store: ResponseStore,
    path: Path,
    note: Callable[[], str] | None = None,
) -> None:
    """Ask each original of a suite `repeats` times, and write a row per answer.

    The first answer is that of the predictions. Answers in the store are not requested again. The
    progress bar shows the text of `note`.
    """
    total = inputs.mutated * repeats
    asker = Asker(model, store)
    with (
        pq.ParquetWriter(path, REPEATS_SCHEMA, compression="zstd") as writer,
        progress_bar(total=total, label="repeat", unit=" answers", note=note) as bar,
    ):
        for block in inputs.blocks():
            mutated = [text for text in block.originals if text.original_id in block.mutated]
            originals = original_inputs(model, mutated)
            keys = [repeat_keys(item.window.digest, repeats=repeats) for item in originals]
            texts = {
                key: item.text
                for item, several in zip(originals, keys, strict=True)
                for key in several
            }
            bar.update(len(originals) * repeats - len(texts))
            parsed_answers = asker.ask(texts, advance=bar.update)
            rows = [
                {"original_id": item.input_id, "repeat": number, **parsed_answers[key]._asdict()}
                for item, several in zip(originals, keys, strict=True)
                for number, key in enumerate(several, start=1)
            ]
            writer.write_table(pa.Table.from_pylist(rows, schema=REPEATS_SCHEMA))
    logging.info(
        "%d answers: %d asked, %d known", total, asker.counts["asked"], asker.counts["known"]
    )


def repeat_keys(digest: str, *, repeats: int) -> list[str]:
    """Return the keys in the store of the answers to an input with this digest.

    The first is that of its prediction.
    """
    return [digest, *(f"{digest}#{number}" for number in range(2, repeats + 1))]
