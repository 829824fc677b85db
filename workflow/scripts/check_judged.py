"""Check the judged mutants by every comparator."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from hinter.gpus import claimed_gpus
from hinter.invariant import Comparator, Invariant
from hinter.job import logged_to
from hinter.validity import check_judged, read_judgments


def main(
    *, judgments: str, parser: str, invariant: dict[str, Any], store: str, validity: str
) -> None:
    """Write what was judged of each mutant, and what each comparator says, to `validity`."""
    judged = read_judgments(Path(judgments))
    check = Invariant.of_sheet(invariant, parser=Path(parser), store=Path(store))
    table = check_judged(
        judged, invariants=[check.with_comparator(comparator) for comparator in Comparator]
    )
    metadata = {"parser": check.parser.fingerprint}
    pq.write_table(table.replace_schema_metadata(metadata), validity, compression="zstd")


if __name__ == "__main__":
    with logged_to(snakemake.log[0]), claimed_gpus(snakemake.resources.gpu):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
