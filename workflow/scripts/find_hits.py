"""Find the hits of a probe in a model's answers."""

from pathlib import Path

from hinter.job import run_job
from hinter.probes import find_hits, import_probe


def main(*, probe: str, judged: bool, **files: str) -> None:
    """Write a row per prompt and counterfactual to the Parquet `hits`, one of the `files`."""
    paths = {name: Path(file) for name, file in files.items()}
    find_hits(import_probe(probe), judged=judged, **paths)


if __name__ == "__main__":
    run_job(main, snakemake)
