"""Print for each model of a study whether it can be reached and loaded."""

import sys
from functools import partial
from typing import Any

from hinter.gpus import claimed_gpus
from hinter.job import logged_to
from hinter.trying import check_models


def main(*, entries: list[dict[str, Any]], paid: dict[str, Any]) -> None:
    """Print what the check of each of the `entries` found; `paid` has the budget and prices."""
    check_models(entries, paid=paid, say=partial(print, file=sys.__stdout__, flush=True))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]), claimed_gpus(snakemake.resources.gpu):
        main(**snakemake.params.settings)
