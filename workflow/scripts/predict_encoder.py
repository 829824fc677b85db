"""Run an encoder on a suite."""

from pathlib import Path
from typing import Any

from hinter.job import logged_to
from hinter.models import Encoder, write_predictions


def main(
    *, corpus: str, suite: str, pairs: str, model: str, sheet: dict[str, Any], predictions: str
) -> None:
    """Write the outcomes on held-out texts, originals and mutants to `predictions`."""
    encoder = Encoder(
        Path(model),
        max_tokens=sheet["max_tokens"],
        batch_size=sheet["batch_size"],
        threads=sheet["threads"],
    )
    write_predictions(
        encoder,
        corpus=Path(corpus),
        suite=Path(suite),
        pairs=Path(pairs),
        predictions=Path(predictions),
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
