"""Figure 9 of the paper: mutants and their atomic sub-mutants, biased or benign (RQ4)."""

from collections.abc import Iterator
from math import nan

import pandas as pd

from ..columns import rate_columns, with_both
from ..groups import in_columns, name_totals, rates_by
from ..shown import each_as, in_percent, shown
from ..table import Results, Table, query_results

# If all sub-mutants of a mutant have a verdict, its minimal subsets of one pair are its biased
# atomic sub-mutants, with exactly its pairs. The pair of the first attribute comes first.
FAMILIES = """
    SELECT model, dataset, original_id, attributes AS combination, pair_ids, complete,
        biased AS intersectional,
        list_contains(minimal_subsets, pair_ids[1]) AS first,
        list_contains(minimal_subsets, pair_ids[2]) AS second
    FROM counted_verdicts WHERE "order" = 2
"""
"""The verdicts on mutants of two pairs, with those on their atomic sub-mutants."""


CELLS = {
    (True, True): "of_both",
    (True, False): "of_first",
    (False, True): "of_second",
    (False, False): "of_none",
}
"""Whether the first and the second atomic sub-mutant are biased, and the column that counts it."""

CELL_QUERY = f"""
    SELECT combination, model, intersectional, concat(dataset, '/', original_id) AS cluster,
        count(*) FILTER (complete AND first AND second) AS of_both,
        count(*) FILTER (complete AND first AND NOT second) AS of_first,
        count(*) FILTER (complete AND second AND NOT first) AS of_second,
        count(*) FILTER (complete AND NOT first AND NOT second) AS of_none,
        count(*) FILTER (NOT complete) AS undecided
    FROM ({FAMILIES})
    GROUP BY CUBE (combination, model), intersectional, cluster
    ORDER BY combination NULLS FIRST, model NULLS FIRST, intersectional DESC, cluster
"""
KEYS = ["combination", "model"]
CELL_COLUMNS = {
    "combination": "two attributes, joined by +, or all",
    "model": "name of the model, or all",
    "intersectional": "whether the mutant is biased",
    "first": "whether the atomic mutant of its first attribute's pair is biased",
    "second": "whether the atomic mutant of its second attribute's pair is biased",
    "mutants": "mutants in this cell",
    "n": "mutants with the same value of intersectional, and verdicts on both atomic mutants",
    "undecided": "mutants that lack one of these verdicts",
    **with_both("share", "mutants / n"),
}


def tabulate_truth_table(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per combination of two attributes, model and cell of the truth table.

    The combination `all` counts all mutants, the model `all` a mutant once per model.
    """
    counts = name_totals(query_results(CELL_QUERY, verdicts=verdicts), *KEYS)
    rows = [
        dict(zip(KEYS, names, strict=True)) | {"intersectional": biased} | cell
        for names, group in counts.groupby(KEYS, sort=False)
        for biased in (True, False)
        for cell in _cells(group[group["intersectional"] == biased], seed=seed)
    ]
    table = pd.DataFrame(rows, columns=list(CELL_COLUMNS))
    # As in other tables, only by original where a mutant counts once per model.
    table.loc[table["model"] == "all", ["share_low", "share_high"]] = nan
    return table


def _cells(counts: pd.DataFrame, *, seed: int) -> Iterator[dict[str, float]]:
    """Yield the four cells of the biased mutants, or of the benign ones, given their counts."""
    n = counts[list(CELLS.values())].sum(axis=1)
    undecided = int(counts["undecided"].sum())
    for (first, second), name in CELLS.items():
        rates = rate_columns("share", counts[name], n, seed=seed)
        cell = {"first": first, "second": second, "mutants": int(counts[name].sum())}
        yield {**cell, "n": int(n.sum()), "undecided": undecided, **rates}


FIGURE9_TRUTH_TABLE = Table(
    title="Figure 9 as a table: mutants and their atomic ones",
    only_if=("order 2",),
    columns=CELL_COLUMNS,
    compute=tabulate_truth_table,
    show=shown(
        *KEYS,
        each_as(
            {True: "biased", False: "benign"},
            **{name: name for name in ("intersectional", "first", "second")},
        ),
        *("mutants", "n", "undecided"),
        in_percent("share", "% of n", ends="Wilson", cluster="by original"),
    ),
    empty=(
        "Nothing to show: no valid intersectional mutant has a verdict of a model that sees all "
        "its pairs."
    ),
    text="""\
Truth table of mutants of two attributes: whether they are biased or benign, and whether the atomic
mutants of their own first and second pair are. Percentages are of the mutants with the same verdict
whose atomic mutants are both valid and were both run; the others are undecided. With 95 % Wilson
intervals and a cluster bootstrap by original.

a) Biased mutants without atomic bias are hidden: atomic testing misses them. b) Mutants with atomic
bias that are benign themselves are masked: intersectional testing misses their bias. The number
next to each bar is that of its mutants. The bars count a mutant once per model; the table also has
each model separately.
""",
)


# An atomic mutant is part of many mutants, but is counted once.
ATOMIC_QUERY = f"""
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

ATOMIC_COLUMNS = {
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
    counts = name_totals(query_results(ATOMIC_QUERY, verdicts=verdicts), *KEYS)
    rows = rates_by(counts, KEYS, {"shared_share": ("shared", "atomic")}, seed=seed)
    rows = rows.assign(strict=rows["atomic"] - rows["shared"])
    return in_columns(rows, ATOMIC_COLUMNS)


FIGURE9_ATOMIC_MUTANTS = Table(
    title="Figure 9 (b): biased atomic mutants",
    only_if=("order 2",),
    columns=ATOMIC_COLUMNS,
    compute=tabulate_atomic_mutants,
    show=shown(
        *(*KEYS, "atomic", "shared", "strict"),
        in_percent("shared_share", "shared %", ends="Wilson", cluster="by original"),
    ),
    empty=(
        "Nothing to show: no biased atomic mutant is part of a mutant of two attributes with a "
        "verdict."
    ),
    text="""\
Biased atomic mutants that are part of a mutant of two attributes: shared if at least one such
mutant is also biased, strict if none is. With 95 % Wilson intervals and a cluster bootstrap by
original.

Each biased atomic mutant counts once, however many mutants it is part of.
""",
)
