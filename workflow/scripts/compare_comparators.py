"""Check the mutants of a suite by every comparator."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from hinter.blocks import RowGroups
from hinter.invariant import Comparator, Invariant
from hinter.job import progress_bar, run_job
from hinter.mutants import COMPARATORS_SCHEMA, compare_suite


def main(
    *, corpus: str, suite: str, parser: str, invariant: dict[str, Any], store: str, comparators: str
) -> None:
    """Write the check of each mutant by each comparator to the Parquet `comparators`."""
    check = Invariant.of_sheet(invariant, parser=Path(parser), store=Path(store))
    compared = compare_suite(
        Path(suite),
        corpus=Path(corpus),
        invariants=[check.with_comparator(comparator) for comparator in Comparator],
    )
    total = pq.read_metadata(suite).num_rows
    schema = COMPARATORS_SCHEMA.with_metadata({"parser": check.parser.fingerprint})
    with (
        RowGroups(Path(comparators), schema=schema) as written,
        progress_bar(total=total, label="comparators", unit=" mutants") as bar,
    ):
        for table in compared:
            written.write(table)
            bar.update(table.num_rows)


if __name__ == "__main__":
    run_job(main, snakemake)
