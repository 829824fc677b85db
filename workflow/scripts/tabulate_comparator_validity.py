"""Tabulate what the comparators of the invariant are worth, measured against judged mutants."""

from pathlib import Path

import pandas as pd
from hinter.job import logged_to
from hinter.tables import (
    TableFiles,
    describe_comparator_validity,
    describe_judgments,
    show_comparator_validity,
    tabulate_comparator_validity,
    write_table,
)
from hinter.validity import read_judgments

CAPTION = (
    "The comparators of the invariant against judged mutants, of which those survive whose grammar "
    "and meaning do. Precision: the share of surviving mutants among the valid ones; recall: the "
    "share of valid mutants among the surviving ones; and the share of surviving mutants among the "
    "discarded ones. The comparator none is no filter at all. Shares are weighted to the mutants "
    "that the judged ones were drawn from, with the 95 % cluster bootstrap by original."
)


def main(*, judgments: str, validity: str, seed: int, **files: str) -> None:
    """Write the table; its caption says how the mutants were judged and what they show."""
    rows = tabulate_comparator_validity(pd.read_parquet(validity), seed=seed)
    judged = describe_judgments(read_judgments(Path(judgments)))
    caption = f"{CAPTION} {judged} {describe_comparator_validity(rows)}"
    write_table(rows, show_comparator_validity(rows), TableFiles.of(files), caption=caption)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
