"""Tabulate which models say little of bias, and why."""

from collections.abc import Sequence
from pathlib import Path

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.tables import TableFiles, read_parts, tabulate_warnings, write_table

CAPTION = (
    "Models whose bias rates say little, and why: no verdicts, many answers without an outcome, "
    "one outcome for nearly all texts, an accuracy that does not beat the most frequent label, or "
    "answers that change as often when nothing else does."
)
LATEX_COLUMNS = "lllp{110mm}"


def main(
    *,
    predictions: list[str],
    verdicts: list[str],
    corpora: list[str],
    outcome_statuses: list[str],
    repeats: Sequence[str] = (),
    **files: str,
) -> None:
    """Write the table; the file names tell model and dataset."""
    rows = tabulate_warnings(
        read_parts(predictions),
        read_parts(verdicts),
        read_parts(repeats),
        corpora={Path(path).stem: Path(path) for path in corpora},
        outcome_statuses=outcome_statuses,
    )
    write_table(rows, rows, TableFiles.of(files), caption=CAPTION, latex_columns=LATEX_COLUMNS)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
