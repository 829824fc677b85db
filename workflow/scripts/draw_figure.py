"""Draw a figure of the study, or of the paper's published counts."""

from collections.abc import Sequence
from pathlib import Path

from hinter.declarations import import_declaring
from hinter.figures import Figure
from hinter.job import logged_to


def main(*, module: str, tables: Sequence[str], empty: str, pdf: str, png: str) -> None:
    """Draw the figure that `module` declares, given its tables as CSV, in their order."""
    figure: Figure = import_declaring(module).FIGURE
    figure.make(tables=tables, empty=empty, pdf=Path(pdf), png=Path(png))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(
            module=snakemake.params.module,
            tables=snakemake.input,
            empty=snakemake.params.empty,
            **snakemake.output,
        )
