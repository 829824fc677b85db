"""Draw which campaigns of mutants expose the originals (Figure 10)."""

from pathlib import Path

import pandas as pd
from hinter.figures import draw_exposure
from hinter.job import logged_to


def main(*, regions: str, pdf: str, png: str) -> None:
    """Draw the rows of the CSV `regions`."""
    draw_exposure(pd.read_csv(regions), pdf=Path(pdf), png=Path(png))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
