"""Draw whether mutants are biased where their atomic sub-mutants are (Figure 9)."""

from pathlib import Path

import pandas as pd
from hinter.figures import draw_truth_table
from hinter.job import logged_to


def main(*, cells: str, pdf: str, png: str) -> None:
    """Draw the rows of the CSV `cells`."""
    draw_truth_table(pd.read_csv(cells), pdf=Path(pdf), png=Path(png))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
