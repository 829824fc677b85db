"""Draw the grammar scores of originals and their valid mutants (Figure 5)."""

from pathlib import Path

import pandas as pd
from hinter.figures import draw_grammar
from hinter.job import logged_to


def main(*, scores: str, pdf: str, png: str) -> None:
    """Draw the rows of the CSV `scores`."""
    draw_grammar(pd.read_csv(scores), pdf=Path(pdf), png=Path(png))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
