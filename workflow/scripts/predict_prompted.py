"""Run a prompted language model on a suite."""

from pathlib import Path
from typing import Any

from hinter.job import logged_to
from hinter.models import open_prompted, write_predictions


def main(
    *,
    corpus: str,
    suite: str,
    pairs: str,
    model: str,
    prompt: str,
    offsets: str,
    prompt_schema: str,
    sheet: dict[str, Any],
    predictions: str,
) -> None:
    """Write the outcomes on held-out texts, originals and mutants to `predictions`."""
    prompted = open_prompted(
        Path(model),
        corpus=Path(corpus),
        prompt=prompt,
        schema=prompt_schema,
        sheet=sheet,
        offsets=Path(offsets),
    )
    write_predictions(
        prompted,
        corpus=Path(corpus),
        suite=Path(suite),
        pairs=Path(pairs),
        predictions=Path(predictions),
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
