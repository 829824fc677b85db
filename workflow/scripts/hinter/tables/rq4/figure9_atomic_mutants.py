"""Figure 9 of the paper: biased atomic mutants that intersectional testing also finds (RQ4)."""

import pandas as pd

from ..columns import only_by_original, tally, with_both
from ..groups import name_totals, row_per_group
from ..shown import in_percent, shown
from ..table import Results, Table, query_results
from .figure9_truth_table import FAMILIES

# An atomic mutant is part of many mutants, but is counted once.
QUERY = f"""
    WITH families AS ({FAMILIES}),
    atomic AS (
        SELECT model, combination, dataset, original_id, intersectional,
            unnest(CASE WHEN first AND second THEN pair_ids
                WHEN first THEN pair_ids[:1] ELSE pair_ids[2:] END) AS pair_id
        FROM families WHERE complete AND (first OR second)
    ),
    found AS (
        SELECT model, combination, dataset, original_id, pair_id, bool_or(intersectional) AS shared
        FROM atomic GROUP BY CUBE (combination), model, dataset, original_id, pair_id
    )
    SELECT combination, model, concat(dataset, '/', original_id) AS cluster,
        count(*) AS atomic, count(*) FILTER (shared) AS shared
    FROM found
    GROUP BY CUBE (model), combination, cluster
    ORDER BY combination NULLS FIRST, model NULLS FIRST, cluster
"""

KEYS = ["combination", "model"]
COLUMNS = {
    "combination": "two attributes, joined by +, or all",
    "model": "name of the model, or all",
    "atomic": "biased atomic mutants that are part of a mutant of the combination, with verdicts "
    "on this mutant and on both its atomic mutants",
    "shared": "atomic mutants that are part of a biased one",
    "strict": "atomic mutants that are part of no biased one",
    **with_both("shared_share", "shared / atomic"),
}


def tabulate_atomic_mutants(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per combination of two attributes and model.

    The combination `all` counts an atomic mutant once, the model `all` once per model.
    """
    counts = name_totals(query_results(QUERY, verdicts=verdicts), *KEYS)
    counted = {"sums": ["atomic", "shared"], "rates": {"shared_share": ("shared", "atomic")}}
    rows = row_per_group(counts, KEYS, tally, columns=COLUMNS, **counted, seed=seed)
    return only_by_original(rows.assign(strict=rows["atomic"] - rows["shared"]), "shared_share")


TABLE = Table(
    title="Figure 9 (b): biased atomic mutants",
    reads=("verdicts",),
    settings=("seed",),
    only_if=("order 2",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_atomic_mutants,
    show=shown(
        *(*KEYS, "atomic", "shared", "strict"),
        in_percent("shared_share", "shared %", ends="Wilson", cluster="by original"),
    ),
    caption=(
        "Biased atomic mutants that are part of a mutant of two attributes: shared if at least one "
        "such mutant is also biased, strict if none is. With 95 % Wilson intervals and a cluster "
        "bootstrap by original."
    ),
    empty=(
        "Nothing to show: no biased atomic mutant is part of a mutant of two attributes with a "
        "verdict."
    ),
    about="Each biased atomic mutant counts once, however many mutants it is part of.",
)
