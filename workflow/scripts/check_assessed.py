"""Check the assessed mutants by every comparator."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from hinter.assessments import check_assessed, read_assessed
from hinter.gpus import claimed_gpus
from hinter.invariant import Comparator, Invariant
from hinter.job import logged_to


def main(
    *, assessments: str, parser: str, invariant: dict[str, Any], store: str, assessed: str
) -> None:
    """Write each mutant's assessment and each comparator's check to the Parquet `assessed`."""
    mutants = read_assessed(Path(assessments))
    check = Invariant.of_sheet(invariant, parser=Path(parser), store=Path(store))
    table = check_assessed(
        mutants, invariants=[check.with_comparator(comparator) for comparator in Comparator]
    )
    metadata = {"parser": check.parser.fingerprint}
    pq.write_table(table.replace_schema_metadata(metadata), assessed, compression="zstd")


if __name__ == "__main__":
    with logged_to(snakemake.log[0]), claimed_gpus(snakemake.resources.gpu):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
