"""Tabulate what models change when they are asked the same again."""

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_noise, tabulate_noise, write_rates

CAPTION = (
    "Noise floor: answers to the same original that differ from its first answer, with 95 % Wilson "
    "intervals. A bias rate says something only where it exceeds this rate."
)


def main(*, repeats: list[str], warnings: str, outcome_statuses: list[str], **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_noise(read_parts(repeats), outcome_statuses=outcome_statuses)
    write_rates(rows, show_noise(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
