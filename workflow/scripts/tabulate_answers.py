"""Tabulate how many inputs have an outcome, and what became of the others."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_answers, tabulate_answers, write_rates

CAPTION = (
    "Answers by status: ok (an outcome), identical (the model sees nothing changed and is not "
    "run), none (no label applies), refused, unparsed. Originals include held-out texts."
)


def main(*, predictions: list[str], warnings: str, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_answers(read_parts(predictions))
    write_rates(rows, show_answers(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.output)
