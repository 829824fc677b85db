"""Print for each model of a study whether it can be reached and loaded."""

import sys
from functools import partial
from typing import Any

from hinter.job import run_job
from hinter.trying import check_models


def main(*, entries: list[dict[str, Any]], paid: dict[str, Any]) -> None:
    """Print what the check of each of the `entries` found; `paid` has the budget and prices."""
    check_models(entries, paid=paid, say=partial(print, file=sys.__stdout__, flush=True))


if __name__ == "__main__":
    run_job(main, snakemake)
