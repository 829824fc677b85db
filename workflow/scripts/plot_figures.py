"""Plot figures of the study, or of the counts that the paper published."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from hinter.declarations import import_figure
from hinter.figures import Figure
from hinter.job import logged_to, naming


def main(
    *,
    section: str,
    modules: Mapping[str, str],
    tables: Mapping[str, str],
    empty: Mapping[str, str],
    files: Mapping[str, Sequence[str]],
) -> None:
    """Plot the figures of a section, from tables as CSV, to the files of each by name.

    `modules` are those that declare them, and `empty` says why a figure is empty.
    """
    for name, module in modules.items():
        with naming(f"figure {name}"):
            figure: Figure = import_figure(module, section=section, name=name)
            pdf, png, svg = map(Path, files[name])
            read = [tables[table] for table in figure.reads]
            figure.make(tables=read, empty=empty[name], pdf=pdf, png=png, svg=svg)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(
            section=snakemake.params.section,
            modules=snakemake.params.modules,
            tables=dict(snakemake.input.items()),
            empty=snakemake.params.empty,
            files=dict(snakemake.output.items()),
        )
