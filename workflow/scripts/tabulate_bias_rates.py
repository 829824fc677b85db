"""Tabulate the intersectional and the hidden bias rate (Table 2)."""

import pandas as pd
from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    read_parts,
    show_bias_rates,
    tabulate_bias_rates,
    write_rates,
)

CAPTION = (
    "Intersectional bias rate (share of valid intersectional mutants that are biased) and hidden "
    "bias rate (share of biased ones whose sub-mutants are all valid, were run and are benign), "
    "with 95 % Wilson intervals and a cluster bootstrap by original. Coverage is the share of "
    "biased mutants whose sub-mutants were all valid and run. The number of valid mutants is "
    "exact; tested were all, a uniform sample, or a suite of drawn originals and pairs. The number "
    "of biased ones among all valid is counted in the first case and estimated in the second, with "
    "an interval by original. A bias rate says little about a model of low accuracy. Noise, where "
    "measured, is the rate at which a model changes its answer when it is asked the same again."
)


def main(
    *,
    verdicts: list[str],
    counts: list[str],
    accuracy: str,
    warnings: str,
    seed: int,
    noise: str | None = None,
    **files: str,
) -> None:
    """Write the table; the file names tell model and dataset."""
    rates = tabulate_bias_rates(
        read_parts(verdicts),
        read_parts(counts),
        accuracy=pd.read_csv(accuracy),
        noise=pd.read_csv(noise) if noise else None,
        seed=seed,
    )
    write_rates(
        rates, show_bias_rates(rates), TableFiles.of(files), caption=CAPTION, warnings=warnings
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
