"""Build the prompts of a probe with their counterfactuals."""

import logging
from pathlib import Path
from typing import Any

from hinter.config import ProbeSheet, check_sheet
from hinter.dictionary import write_csv
from hinter.job import run_job
from hinter.probes import build_probe, import_probe


def main(
    *,
    source: str,
    probe: str,
    sheet: dict[str, Any],
    seed: int,
    corpus: str,
    suite: str,
    probe_rows: str,
    counts: str,
) -> None:
    """Write base prompts to `corpus`, counterfactuals to `suite`, and their facts to `probe_rows`.

    All are Parquet files. `counts` is a CSV that says how many rows of the probe's file were used.
    """
    described = check_sheet(sheet, ProbeSheet, where=f"config/probes/{probe}.yaml")
    path = Path(source, described.file) if described.resource else Path(source)
    prompts, counted = import_probe(probe).prompts(path, sheet=described, name=probe, seed=seed)
    build_probe(prompts, corpus=Path(corpus), suite=Path(suite), probe_rows=Path(probe_rows))
    write_csv([counted], Path(counts))
    logging.info("%s", counted)


if __name__ == "__main__":
    run_job(main, snakemake)
