"""Tabulate how well the fine-tuned encoders do."""

from pathlib import Path

from hinter.job import logged_to
from hinter.tables import TableFiles, show_training, tabulate_training, write_rates

CAPTION = (
    "Fine-tuned encoders: accuracy (all labels right), micro and macro F1, and the test scores "
    "that LexGLUE published for the same architecture, where there are any."
)


def main(*, scores: list[str], published: str, warnings: str, **files: str) -> None:
    """Write the table."""
    rows = tabulate_training([Path(path) for path in scores], published=Path(published))
    write_rates(rows, show_training(rows), TableFiles.of(files), caption=CAPTION, warnings=warnings)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
