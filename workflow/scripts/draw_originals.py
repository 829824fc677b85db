"""Draw the share of originals with at least one intersectional bias (Figure 4)."""

from pathlib import Path

import pandas as pd
from hinter.figures import draw_biased_originals
from hinter.job import logged_to


def main(*, shares: str, accuracy: str, pdf: str, png: str) -> None:
    """Draw the rows of the CSV `shares`."""
    draw_biased_originals(
        pd.read_csv(shares), accuracy=pd.read_csv(accuracy), pdf=Path(pdf), png=Path(png)
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
