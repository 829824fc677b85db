"""Figure 9 of the paper: is a mutant biased where its atomic sub-mutants are? (RQ4)."""

from typing import Any

import numpy as np
import pandas as pd

from .groups import name_totals
from .shares import many_rates, rate_names
from .sources import Results, open_results
from .writing import percent, percent_intervals

# Of a mutant whose sub-mutants all have a verdict, the minimal subsets of one pair are the biased
# atomic ones: so the exact pairs are looked up, and the first attribute's pair comes first.
TOLD = """
    SELECT model, dataset, original_id, attributes AS combination, pair_ids, complete,
        biased AS intersectional,
        list_contains(minimal_subsets, pair_ids[1]) AS first,
        list_contains(minimal_subsets, pair_ids[2]) AS second
    FROM verdicts
    WHERE "order" = 2 AND counted
"""
"""The mutants of two pairs that have a verdict, with those of their atomic sub-mutants."""

CELLS = {
    (True, True): "of_both",
    (True, False): "of_first",
    (False, True): "of_second",
    (False, False): "of_none",
}
"""Whether the first and the second atomic sub-mutant are biased, and the column that counts it."""

QUERY = f"""
    WITH told AS ({TOLD}),
    counted AS (
        SELECT model, combination, dataset, original_id, intersectional,
            count(*) FILTER (complete AND first AND second) AS of_both,
            count(*) FILTER (complete AND first AND NOT second) AS of_first,
            count(*) FILTER (complete AND second AND NOT first) AS of_second,
            count(*) FILTER (complete AND NOT first AND NOT second) AS of_none,
            count(*) FILTER (NOT complete) AS undecided
        FROM told GROUP BY ALL
    )
    SELECT combination, model, intersectional, concat(dataset, '/', original_id) AS cluster,
        {", ".join(f"sum({name})::BIGINT AS {name}" for name in [*CELLS.values(), "undecided"])}
    FROM counted
    GROUP BY CUBE (combination, model), intersectional, cluster
    ORDER BY combination NULLS FIRST, model NULLS FIRST, intersectional DESC, cluster
"""
KEYS = ["combination", "model"]


def tabulate_truth_table(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per combination of two attributes, model and cell of the truth table.

    A cell says whether the mutant is biased (`intersectional`) and whether the atomic mutants of
    its own two pairs are: `first` of the attribute named first, `second` of the other. `mutants`
    are in the cell. Of the mutants with the same `intersectional`, `n` have a verdict on both
    atomic mutants (valid and run), and `undecided` have not: `share` is mutants / n with its Wilson
    interval (`_low`, `_high`) and its cluster bootstrap by original (`_cluster_low`,
    `_cluster_high`). Combination `all` counts all mutants, model `all` a mutant once per model.
    """
    counts = name_totals(open_results(verdicts=verdicts).execute(QUERY).df(), *KEYS)
    parts = [
        _cells(group[group["intersectional"] == biased], seed=seed).assign(
            combination=str(combination), model=str(model), intersectional=biased
        )
        for (combination, model), group in counts.groupby(KEYS, sort=False)
        for biased in (True, False)
    ]
    return pd.concat([pd.DataFrame(columns=list(_COLUMNS)), *parts])[list(_COLUMNS)].infer_objects()


def show_truth_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: percentages with intervals by original."""
    names = {True: "biased", False: "benign"}
    shown: dict[str, Any] = {key: rows[key] for key in KEYS}
    shown |= {name: rows[name].map(names) for name in ("intersectional", "first", "second")}
    shown |= {name: rows[name] for name in ("mutants", "n", "undecided")}
    shown["% of n"] = rows["share"].map(percent)
    shown["Wilson"] = percent_intervals(rows, "share")
    shown["by original"] = percent_intervals(rows, "share_cluster")
    return pd.DataFrame(shown)


_COLUMNS = (
    *(*KEYS, "intersectional", "first", "second"),
    *("mutants", "n", "undecided"),
    *rate_names("share"),
)


def _cells(counts: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the four cells of mutants that are biased, or of those that are not."""
    mutants = counts[list(CELLS.values())].to_numpy(dtype=float)
    n = mutants.sum(axis=1, keepdims=True)
    rates = many_rates("share", mutants, np.repeat(n, len(CELLS), axis=1), seed=seed)
    cells = pd.DataFrame(CELLS.keys(), columns=["first", "second"])
    return cells.assign(
        mutants=mutants.sum(axis=0).astype(int),
        n=int(n.sum()),
        undecided=int(counts["undecided"].sum()),
        **rates,
    )
