"""Rate answers in words by a classifier: its predictions on the answers."""

import logging
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..job import progress_bar
from ..models import Model, Status
from ..responses import Asker, ResponseStore


def write_ratings(rater: Model, *, answers: Path, store: ResponseStore, path: Path) -> None:
    """Write the rows in `answers` with the rater's outcome and scores of each answer.

    Both files are Parquet, with the columns of predictions or of repeats. Only answers with the
    status `ok` are rated. Others keep their status and have no outcome.
    """
    table = pq.read_table(answers)
    rows = table.to_pylist()
    given = [row for row in rows if row["status"] == Status.OK]
    windows = rater.windows([row["answer"] for row in given]) if given else []
    texts = {window.digest: row["answer"] for row, window in zip(given, windows, strict=True)}
    asker = Asker(rater, store)
    with progress_bar(total=len(texts), label="rate", unit=" answers") as bar:
        parsed_answers = asker.ask(texts, advance=bar.update)
    for row, window in zip(given, windows, strict=True):
        parsed = parsed_answers[window.digest]
        row |= {"outcome": parsed.outcome, "scores": parsed.scores}
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path, compression="zstd")
    logging.info("%d answers: %d rated, %d of them different", *(len(rows), len(given), len(texts)))
