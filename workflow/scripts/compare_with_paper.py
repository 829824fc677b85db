"""Compare the numbers of a study with those of the paper."""

import pandas as pd
from hinter.job import logged_to
from hinter.published import StudyTables, compare_with_paper, read_published, show_comparison
from hinter.tables import TableFiles, write_rates

CAPTION = (
    "The paper's numbers, recomputed from its published counts, beside this study's with their "
    "95 % intervals, and whether the paper's lies inside. Of {numbers} numbers {same} are of a "
    "model and a dataset of the paper; of the others the paper's is of other models or texts, so "
    "that agreement says little and disagreement is to be expected."
)


def main(
    *,
    published: list[str],
    bias_rates: str,
    biased_originals: str,
    validity: str,
    warnings: str,
    false_positives: str | None = None,
    **files: str,
) -> None:
    """Write the table, given the files of data/published and tables of the study as CSV."""
    study = StudyTables(
        bias_rates=pd.read_csv(bias_rates),
        biased_originals=pd.read_csv(biased_originals),
        validity=pd.read_csv(validity),
        false_positives=pd.read_csv(false_positives) if false_positives else None,
    )
    rows = compare_with_paper(read_published(published), study)
    caption = CAPTION.format(numbers=len(rows), same=rows["same"].sum())
    write_rates(
        rows, show_comparison(rows), TableFiles.of(files), caption=caption, warnings=warnings
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
