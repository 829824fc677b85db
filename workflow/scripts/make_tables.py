"""Make tables of the study, or of the counts that the paper published."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hinter.declarations import import_table
from hinter.job import logged_to, naming
from hinter.tables import Table, TableFiles


def main(
    *,
    modules: Mapping[str, str],
    inputs: Mapping[str, Sequence[str] | str],
    settings: Mapping[str, Any],
    files: Mapping[str, Sequence[str]],
) -> None:
    """Write the tables that `modules` declare, given the inputs and the files of each by name.

    A table may use those before it.
    """
    inputs = dict(inputs)
    for name, module in modules.items():
        with naming(f"table {name}"):
            table: Table = import_table(module, name)
            table.make(
                inputs=inputs,
                settings={key: settings[key] for key in table.settings},
                files=TableFiles(*map(Path, files[name])),
            )
        # Other inputs than tables may have the name of a table.
        inputs.setdefault(name, files[name][0])


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(
            modules=snakemake.params.modules,
            inputs=dict(snakemake.input.items()),
            settings=snakemake.params.settings,
            files=dict(snakemake.output.items()),
        )
