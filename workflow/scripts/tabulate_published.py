"""Tabulate numbers of the paper, recomputed from the counts that its authors published."""

from pathlib import Path

from hinter.job import logged_to
from hinter.published import (
    describe_agreement,
    figure4,
    figure6,
    figure7,
    figure9,
    figure10,
    read_published,
    show_erratum,
    show_numbers,
    show_table2,
    show_truth_table,
    table2,
    tabulate_erratum,
    truth_table,
)
from hinter.tables import TableFiles, write_table

NUMBERS = {
    "table2_bias_rates": (
        table2,
        show_table2,
        "Intersectional (I) and hidden (H) bias rates in percent (Table 2), from the counts that "
        "the paper's authors published. H is of the biased mutants whose atomic verdicts their "
        "analysis looked up.",
    ),
    "figure4_biased_originals": (
        figure4,
        show_numbers,
        "Originals with at least one biased intersectional mutant (Figure 4), from the published "
        "counts.",
    ),
    "figure6_validity": (
        figure6,
        show_numbers,
        "Valid mutants (Figure 6), from the published counts. Discarded mutants cannot be derived "
        "from them; shares are of the valid mutants and the discarded ones that the paper prints.",
    ),
    "figure7_false_positives": (
        figure7,
        show_numbers,
        "Biased mutants among valid and discarded ones of the fine-tuned models (Figure 7), from "
        "the published counts.",
    ),
    "figure9_atomic_bias": (
        figure9,
        show_numbers,
        "Biased mutants that only intersectional or only atomic tests find (Figure 9), from the "
        "published counts: as published, and corrected.",
    ),
    "figure10_exposure": (
        figure10,
        show_numbers,
        "Originals by the campaigns that expose them (Figure 10), from the published counts, as "
        "shares of those exposed.",
    ),
}
OTHERS = {
    "figure9_truth_table": (
        truth_table,
        show_truth_table,
        "Mutants by whether they and their two sub-mutants are biased, from the published counts.",
    ),
    "erratum": (
        tabulate_erratum,
        show_erratum,
        "Published numbers that are not what they say: as published, recomputed in the same way "
        "from the published counts, and corrected.",
    ),
}
LATEX_COLUMNS = {"erratum": "rp{15mm}p{22mm}p{22mm}p{24mm}p{24mm}p{60mm}"}


def main(*, published: list[str], **files: list[str]) -> None:
    """Write tables from the files of data/published; the file names tell which."""
    counts = read_published(published)
    for paths in zip(*files.values(), strict=True):
        name = Path(paths[0]).stem
        tabulate, show, caption = (NUMBERS | OTHERS)[name]
        rows = tabulate(counts)
        if name in NUMBERS:
            caption = f"{caption} {describe_agreement(rows)}"
        forms = TableFiles.of(dict(zip(files, paths, strict=True)))
        write_table(rows, show(rows), forms, caption=caption, latex_columns=LATEX_COLUMNS.get(name))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.output)
