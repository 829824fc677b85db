"""Draw figures of the paper from the counts that its authors published."""

from pathlib import Path

from hinter.figures import (
    draw_exposure,
    draw_published_atomic,
    draw_published_false_positives,
    draw_published_originals,
    draw_published_validity,
    draw_truth_table,
)
from hinter.job import logged_to
from hinter.published import (
    exposure,
    figure4,
    figure6,
    figure7,
    figure9,
    read_published,
    truth_table,
)

FIGURES = {
    "figure4_biased_originals": (figure4, draw_published_originals),
    "figure6_validity": (figure6, draw_published_validity),
    "figure7_false_positives": (figure7, draw_published_false_positives),
    "figure9_atomic_bias": (figure9, draw_published_atomic),
    "figure9_truth_table": (truth_table, draw_truth_table),
    "figure10_exposure": (exposure, draw_exposure),
}


def main(*, published: list[str], pdf: list[str], png: list[str]) -> None:
    """Draw figures from the files of data/published; the file names tell which."""
    counts = read_published(published)
    for paths in zip(map(Path, pdf), map(Path, png), strict=True):
        tabulate, draw = FIGURES[paths[0].stem]
        draw(tabulate(counts), pdf=paths[0], png=paths[1])


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
