"""Tabulate how well each model does its task."""

from pathlib import Path

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, show_accuracy, tabulate_accuracy, write_rates

CAPTION = "Accuracy and macro F1 of each model on held-out texts, with 95 % Wilson intervals."


def main(*, predictions: list[str], corpora: list[str], warnings: str, **files: str) -> None:
    """Write the table; the file names tell model and dataset."""
    accuracy = tabulate_accuracy(
        read_parts(predictions), corpora={Path(path).stem: Path(path) for path in corpora}
    )
    write_rates(
        accuracy, show_accuracy(accuracy), TableFiles.of(files), caption=CAPTION, warnings=warnings
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.output)
