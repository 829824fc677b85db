"""Figures 9 and 10 of the paper: atomic against intersectional bias (RQ4)."""

import pandas as pd

from ..tables import CAMPAIGNS
from .counts import ALL, Published, with_totals
from .numbers import as_numbers, beside_printed

CELL = ["intersectional", "first", "second"]
"""What a cell of the truth table tells: which of the mutant and its two sub-mutants are biased.

`first` and `second` are the attributes in the order of the combination's name.
"""


def truth_table(published: Published) -> pd.DataFrame:
    """Return the mutants of each cell by combination and model, with totals over both."""
    return with_totals(published.truth_table, "combination", "model", by=CELL)


def show_truth_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the cells as they are read."""
    words = {True: "biased", False: "benign"}
    shown = rows.assign(**{column: rows[column].map(words) for column in CELL})
    return shown.assign(mutants=shown["mutants"].map("{:,}".format))


def exposure(published: Published) -> pd.DataFrame:
    """Return the originals of each region by combination, regardless of model."""
    return published.exposure.assign(model=ALL)


def figure9(published: Published) -> pd.DataFrame:
    """Return the biased mutants that are intersectional only, and the atomic ones that are shared.

    `intersectional_only` are the biased mutants of which both sub-mutants are benign.
    `intersectional_only_as_published` are what the paper gives for them: those of which the first
    sub-mutant is benign and the second biased (process_results.py:854). `atomic_shared` are biased
    atomic mutants that also make a biased intersectional one, `atomic_only` the others.
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
    return beside_printed(
        pd.concat([*numbers, _unique(published)], ignore_index=True), published.printed
    )


def figure10(published: Published) -> pd.DataFrame:
    """Return by combination the originals of each region, of those that any campaign exposes.

    A region is named after the campaigns (first, second, intersectional) under which an original
    has a biased mutant; `none` has no share (process_results.py:1028-1096).
    """
    counts = published.exposure
    exposed = counts[CAMPAIGNS].any(axis=1)
    regions = counts[CAMPAIGNS].apply(lambda row: "+".join(row.index[row]), axis=1)
    sums = counts[exposed].groupby("combination")["originals"].sum()
    counts = counts.assign(exposed=counts["combination"].map(sums))
    numbers = [
        as_numbers(rows, region, count="originals", of="exposed", part="combination")
        for region, rows in counts[exposed].groupby(regions, sort=False)
    ]
    none = as_numbers(counts[~exposed], "none", count="originals", part="combination")
    return beside_printed(pd.concat([*numbers, none], ignore_index=True), published.printed)


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
