"""Find what a model's answers to a probe show."""

from pathlib import Path

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.probes import find_hits, import_probe


def main(
    *, probe: str, judged: bool, told: str, corpus: str, predictions: str, verdicts: str, hits: str
) -> None:
    """Write a row per prompt and counterfactual to the Parquet `hits`."""
    find_hits(
        import_probe(probe),
        told=Path(told),
        corpus=Path(corpus),
        predictions=Path(predictions),
        verdicts=Path(verdicts),
        hits=Path(hits),
        judged=judged,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
