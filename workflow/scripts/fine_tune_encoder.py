"""Fine-tune an encoder on a dataset's training split."""

from pathlib import Path
from typing import Any

from hinter.corpora import read_split
from hinter.job import logged_to
from hinter.models import fine_tune


def main(
    *, corpus: str, base: str, sheet: dict[str, Any], labels: list[str], seed: int, folder: str
) -> None:
    """Write the fine-tuned model to `folder`."""
    fine_tune(
        Path(base),
        Path(folder),
        texts=read_split(Path(corpus), split="training"),
        labels=labels,
        max_tokens=sheet["max_tokens"],
        threads=sheet["threads"],
        seed=seed,
        **sheet["fine_tuning"],
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, folder=snakemake.output[0])
