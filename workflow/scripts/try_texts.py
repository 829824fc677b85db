"""Try texts on a model, and print what was found."""

import sys
from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.mutants import open_making
from hinter.trying import read_tried, try_texts


def main(
    *,
    pairs: str,
    parser: str,
    text: str | None,
    file: str | None,
    making: dict[str, Any],
    **trying: Any,
) -> None:
    """Print the mentions in the `text` or in those of a `file`, and the lattices of biased mutants.

    `making` has the settings that make mutants, and `trying` those that ask about them and judge
    them (`try_texts`).
    """
    texts = read_tried(text, file=file)
    made = open_making(Path(pairs), parser=Path(parser), **making)
    print(try_texts(texts, making=made, **trying), file=sys.__stdout__)


if __name__ == "__main__":
    run_job(main, snakemake)
