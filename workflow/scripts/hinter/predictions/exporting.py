"""Export a suite for a model that is asked outside the workflow, to results/exported."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..job import progress_bar
from ..models import Task, WholeTexts, digest_of_text
from ..responses import SuiteShard
from .inputs import suite_inputs

EXPORTED = ("suite", "input_id", "text", "prompt", "prompt_digest")
EXPORTED_SCHEMA = pa.schema([(name, pa.string()) for name in EXPORTED])
"""`suite` is a digest of all rows. Each row has it, so that answers can contain it."""
ASKED_SCHEMA = EXPORTED_SCHEMA.remove(0)
ROWS_AT_ONCE = 1024


def export_suite(inputs: SuiteShard, *, task: Task | None, lines: Path, table: Path) -> None:
    """Write the `inputs` to be asked about to JSON `lines` and to a Parquet `table`.

    Each row has the text, a digest of all inputs and, if the dataset has a prompt (`task`), the
    prompt as one text. Mutants with the same text as their original are left out.
    """
    with TemporaryDirectory() as scratch:
        asked = Path(scratch, "asked.parquet")
        suite = _write_asked(inputs, task=task, path=asked)
        with (
            pq.ParquetWriter(table, EXPORTED_SCHEMA, compression="zstd") as writer,
            lines.open("w", encoding="utf-8", newline="\n") as file,
        ):
            for batch in pq.ParquetFile(asked).iter_batches(ROWS_AT_ONCE):
                rows = [{"suite": suite, **row} for row in batch.to_pylist()]
                writer.write_table(pa.Table.from_pylist(rows, schema=EXPORTED_SCHEMA))
                file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _write_asked(inputs: SuiteShard, *, task: Task | None, path: Path) -> str:
    """Write the rows without the suite's digest to a Parquet file, and return the digest."""
    digest = hashlib.blake2b(digest_size=16)
    with (
        pq.ParquetWriter(path, ASKED_SCHEMA) as writer,
        progress_bar(total=len(inputs), label="export", unit=" texts") as bar,
    ):
        for rows in _asked_rows(inputs, task=task):
            writer.write_table(pa.Table.from_pylist(rows, schema=ASKED_SCHEMA))
            for row in rows:
                digest.update(f"{row['input_id']} {row['prompt_digest']}\n".encode())
            bar.update(len(rows))
    return digest.hexdigest()


def _asked_rows(inputs: SuiteShard, *, task: Task | None) -> Iterator[list[dict[str, Any]]]:
    prompt, examples = (task.prompt, task.examples) if task else (None, ())
    before = prompt.shown(examples) if prompt else ""
    for block in inputs.blocks():
        for part in suite_inputs(WholeTexts(), block):
            texts = [(item.input_id, item.text) for item in part if not item.identical]
            prompts = [before + prompt.asked(text) if prompt else None for _, text in texts]
            yield [
                {
                    "input_id": input_id,
                    "text": text,
                    "prompt": asked,
                    "prompt_digest": digest_of_text(text if asked is None else asked),
                }
                for (input_id, text), asked in zip(texts, prompts, strict=True)
            ]
