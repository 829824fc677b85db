"""Write the configuration of a study of a user's texts and model."""

import sys
from pathlib import Path

from hinter.config import Models, read_sheet
from hinter.job import run_job
from hinter.locations import locate
from hinter.trying import begin_study


def main(*, texts: str | None, model: str | None, models_sheet: str) -> None:
    """Write the sheets of a study into config/, and print what was found and the next commands."""
    known = read_sheet(locate(models_sheet), Models).root
    lines = begin_study(texts, model, known=known, folder=Path("config"))
    print(*lines, sep="\n", file=sys.__stdout__)


if __name__ == "__main__":
    run_job(main, snakemake)
