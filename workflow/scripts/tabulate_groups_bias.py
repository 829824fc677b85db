"""Tabulate bias by combination of attributes and by source and target group."""

from collections.abc import Sequence
from pathlib import Path

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    read_parts,
    show_groups_bias,
    tabulate_groups_bias,
    write_rates,
)

CAPTION = (
    "Bias by combination of attributes and by source and target group, with Wilson's interval and "
    "a cluster bootstrap by original; the rate expected from the other mutants of the same "
    "originals, the permutation test of a difference (p), adjusted by Benjamini-Hochberg (q), and "
    "the deviation that would be found with a probability of 80 %. Where originals were asked "
    "repeatedly, noise is the rate at which answers change unprompted, with the test of an excess "
    "over it."
)


def main(
    *,
    verdicts: list[str],
    pairs: str,
    outcome_statuses: list[str],
    warnings: str,
    seed: int,
    repeats: Sequence[str] = (),
    **files: str,
) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_groups_bias(
        read_parts(verdicts),
        read_parts(repeats),
        pairs=Path(pairs),
        outcome_statuses=outcome_statuses,
        seed=seed,
    )
    write_rates(
        rows, show_groups_bias(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
