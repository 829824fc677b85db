"""Make a table of the study, or of the paper's published counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from hinter.database import limit_queries
from hinter.declarations import import_declaring
from hinter.job import logged_to
from hinter.tables import Table, TableFiles


def main(
    *,
    module: str,
    inputs: Mapping[str, Sequence[str] | str],
    settings: Mapping[str, Any],
    files: Mapping[str, str],
) -> None:
    """Write the table that `module` declares, given its inputs by name and its files by form."""
    table: Table = import_declaring(module).TABLE
    table.make(inputs=inputs, settings=settings, files=TableFiles.of(files))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(
            module=snakemake.params.module,
            inputs=dict(snakemake.input.items()),
            settings=snakemake.params.settings,
            files=dict(snakemake.output.items()),
        )
