"""Judge the mutants of a suite by a model's outcomes."""

from pathlib import Path

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.oracle import judge_mutants


def main(
    *,
    suite: str,
    predictions: str,
    outcome_statuses: list[str],
    hidden_lookup: str,
    favourable: list[str],
    verdicts: str,
) -> None:
    """Write the verdict on every mutant run to the Parquet `verdicts`."""
    judge_mutants(
        Path(suite),
        Path(predictions),
        Path(verdicts),
        outcome_statuses=outcome_statuses,
        hidden_lookup=hidden_lookup,
        favourable=favourable,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
