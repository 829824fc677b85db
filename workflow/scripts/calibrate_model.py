"""Estimate the offsets for contextual calibration of a prompted model."""

import json
import logging
from pathlib import Path
from typing import Any

from hinter.corpora import read_split
from hinter.job import progress_bar, run_job
from hinter.models import read_task


def main(
    *,
    corpus: str,
    model: str,
    prompt: str,
    sheet: dict[str, Any],
    task: dict[str, Any],
    offsets: str,
) -> None:
    """Write each label's offset to the JSON file `offsets`."""
    # This imports torch, which may look for GPUs at once: the job must have its own by then.
    from hinter.models.local import open_scoring

    asked = read_task(corpus=Path(corpus), prompt=prompt, **task)
    scoring = open_scoring(Path(model), sheet=sheet, task=asked, offsets={})
    texts = [text.text for text in read_split(Path(corpus), split="calibration")]
    with progress_bar(total=len(texts), label="calibrate", unit=" texts") as bar:
        estimated = scoring.calibration_offsets(texts, advance=bar.update)
    Path(offsets).write_text(json.dumps(estimated, indent=1) + "\n", encoding="utf-8")
    logging.info("offsets from %d texts: %s", len(texts), estimated)


if __name__ == "__main__":
    run_job(main, snakemake)
