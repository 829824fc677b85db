"""Try texts on a model, and show what was found in the terminal."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq
from hinter.gpus import claimed_gpus
from hinter.job import logged_to
from hinter.mutants import open_making
from hinter.trying import ask_mutants, read_tried, show_tried, write_mutants

SHOWN = 5


def main(
    *,
    pairs: str,
    parser: str,
    examples: str,
    model: str,
    text: str | None,
    file: str | None,
    making: dict[str, Any],
    mutants: dict[str, Any],
    asking: dict[str, Any],
    paid: dict[str, Any] | None,
    judging: dict[str, Any],
    prompt: str | None = None,
    offsets: str | None = None,
) -> None:
    """Print what the `text` or those in a `file` mention, and the lattices of biased mutants.

    `making` says what makes mutants, `mutants` which are made and asked, `asking` how the model is
    asked, and `judging` how its outcomes are compared.
    """
    texts = read_tried(text, file=file)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        made = open_making(Path(pairs), parser=Path(parser), **making)
        mentioned = write_mutants(texts, making=made, folder=folder, **mutants)
        ask_mutants(
            Path(model),
            asking=asking,
            examples=Path(examples),
            prompt=prompt,
            offsets=offsets,
            paid=paid,
            judging=judging,
            folder=folder,
        )
        recipes, verdicts, predictions = (
            pq.read_table(folder / f"{name}.parquet").to_pylist()
            for name in ("mutants", "verdicts", "predictions")
        )
    shown = show_tried(
        texts,
        mentioned=mentioned,
        mutants=recipes,
        verdicts=verdicts,
        predictions={row["input_id"]: row for row in predictions},
        shown=SHOWN,
    )
    print(shown, file=sys.__stdout__)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]), claimed_gpus(snakemake.resources.gpu):
        main(**snakemake.input, **snakemake.params.settings)
