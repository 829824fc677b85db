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
    numbers = [
        as_numbers(
            biased[biased["second"] == second],
            quantity,
            count="mutants",
            of="biased",
            part="combination",
        )
        for quantity, second in (
            ("intersectional_only_as_published", True),
            ("intersectional_only", False),
        )
    ]
    return compared_with_printed(
        pd.concat([*numbers, _unique(published)], ignore_index=True), published.printed
    )


def _unique(published: Published) -> pd.DataFrame:
    counts = published.unique_mutants.set_index("quantity")["mutants"]
    atomic, shared = counts["atomic"], counts["atomic_shared"]
    both = {"part": ALL, "mutants": atomic + counts["intersectional"]}
    rows = pd.DataFrame(
        [
            {"part": ALL, "mutants": shared, "atomic": atomic},
            {"part": ALL, "mutants": atomic - shared, "atomic": atomic},
        ]
    )
    numbers = [
        as_numbers(rows[:1], "atomic_shared", count="mutants", of="atomic", part="part"),
        as_numbers(rows[1:], "atomic_only", count="mutants", of="atomic", part="part"),
        as_numbers(pd.DataFrame([both]), "bias_inducing_mutants", count="mutants", part="part"),
    ]
    return pd.concat(numbers)


TABLE = PublishedTable(
    title="Figure 9: bias that only one kind of test finds",
    reads=("published",),
    compute=figure9,
    caption=(
        "Biased mutants that only intersectional or only atomic tests find (Figure 9), from the "
        "published counts: as published, and corrected."
    ),
)
