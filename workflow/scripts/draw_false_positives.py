"""Draw bias among valid and among discarded mutants (Figure 7)."""

from pathlib import Path

import pandas as pd
from hinter.figures import draw_false_positives
from hinter.job import logged_to


def main(*, rates: str, pdf: str, png: str) -> None:
    """Draw the rows of the CSV `rates`."""
    draw_false_positives(pd.read_csv(rates), pdf=Path(pdf), png=Path(png))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
