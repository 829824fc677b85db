"""Tabulate what the bias rates of surviving mutants are, given judged ones."""

from collections.abc import Sequence

import pandas as pd
from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    read_parts,
    show_corrected_rates,
    tabulate_corrected_rates,
    write_rates,
)
from hinter.validity import DATASET

CAPTION = (
    "Bias rates of the mutants valid by the comparator {comparator}, and what they say of those "
    "whose grammar and meaning survive. The share of surviving mutants comes from judged mutants "
    "of the same kind, read by a large language model, not by people. The bias rate of surviving "
    "valid mutants lies between the bounds, whichever of them survive; these are also given with "
    "sampling error. The corrected rate is that of all surviving mutants, valid and discarded, "
    "and biased and surviving the number of biased valid mutants that survive: both hold where, "
    "among valid and among discarded mutants, survival says nothing of bias. Intervals are 95 %, "
    "by bootstraps over originals. {carried}"
)


def main(
    *, verdicts: list[str], validity: str, comparator: str, warnings: str, seed: int, **files: str
) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_corrected_rates(
        read_parts(verdicts), pd.read_parquet(validity), comparator=comparator, seed=seed
    )
    caption = CAPTION.format(comparator=comparator, carried=_carried(rows["dataset"].tolist()))
    write_rates(
        rows, show_corrected_rates(rows), TableFiles.of(files), caption=caption, warnings=warnings
    )


def _carried(datasets: Sequence[str]) -> str:
    others = sorted(set(datasets) - {DATASET})
    judged = "The judged mutants are of movie reviews"
    return (
        f"{judged}; for {', '.join(others)} the shares are carried over."
        if others
        else f"{judged}."
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
