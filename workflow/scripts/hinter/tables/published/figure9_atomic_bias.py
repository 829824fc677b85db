"""Figure 9 of the paper: bias that only intersectional or only atomic tests find (RQ4)."""

import pandas as pd

from .counts import ALL, Published
from .figure9_truth_table import truth_table
from .numbers import PublishedTable, as_numbers, compared_with_printed


def figure9(published: Published) -> pd.DataFrame:
    """Return the biased mutants that are intersectional only, and the atomic ones that are shared.

    `intersectional_only` counts the biased mutants whose sub-mutants are both benign.
    `intersectional_only_as_published` is the paper's number: those whose first sub-mutant is benign
    and whose second is biased (process_results.py:854). `atomic_shared` counts biased
    atomic mutants that are part of a biased intersectional one, `atomic_only` the others.
    """
    cells = truth_table(published)
    cells = cells[cells["combination"].eq(ALL) | cells["model"].eq(ALL)]
    biased = cells[cells["intersectional"]]
    sums = biased.groupby(["combination", "model"])["mutants"].transform("sum")
    biased = biased.assign(biased=sums)[~biased["first"]]
    of_biased = ("mutants", "biased")
    return compared_with_printed(
        published,
        as_numbers(
            biased[biased["second"]], part="combination", intersectional_only_as_published=of_biased
        ),
        as_numbers(biased[~biased["second"]], part="combination", intersectional_only=of_biased),
        _unique(published),
    )


def _unique(published: Published) -> pd.DataFrame:
    counts = published.unique_mutants.set_index("quantity")["mutants"].to_frame(ALL).T
    counts["atomic_only"] = counts["atomic"] - counts["atomic_shared"]
    counts["both"] = counts["atomic"] + counts["intersectional"]
    return as_numbers(
        counts.assign(part=ALL),
        part="part",
        atomic_shared=("atomic_shared", "atomic"),
        atomic_only=("atomic_only", "atomic"),
        bias_inducing_mutants=("both",),
    )


TABLE = PublishedTable(
    title="Figure 9: bias that only one kind of test finds",
    reads=("published",),
    compute=figure9,
    caption=(
        "Biased mutants that only intersectional or only atomic tests find (Figure 9), from the "
        "published counts: as published, and corrected."
    ),
)
