"""Draw how many mutants are valid and how many are discarded (Figure 6)."""

from pathlib import Path

import pandas as pd
from hinter.figures import draw_validity
from hinter.job import logged_to


def main(*, counts: str, pdf: str, png: str) -> None:
    """Draw the rows of the CSV `counts`."""
    draw_validity(pd.read_csv(counts), pdf=Path(pdf), png=Path(png))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
