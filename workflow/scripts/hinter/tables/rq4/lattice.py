"""Sub-mutants of every order: hidden and masked bias, and minimal biased sets of pairs (RQ4)."""

import pandas as pd

from ..columns import only_by_original, tally, with_both
from ..groups import name_totals, row_per_group
from ..shown import in_percent, shown
from ..table import Results, Table, open_results

# A minimal subset that is smaller than the mutant is a biased sub-mutant.
QUERY = """
    WITH families AS (
        SELECT model, dataset, original_id, "order", complete, biased, hidden,
            list_transform(
                minimal_subsets, lambda subset: len(string_split(subset, '|'))
            ) AS sizes
        FROM counted_verdicts WHERE "order" >= 2
    ),
    counted AS (
        SELECT "order", model, dataset, original_id, count(*) AS n,
            count(*) FILTER (complete) AS complete,
            count(*) FILTER (complete AND biased) AS biased,
            count(*) FILTER (complete AND hidden) AS hidden,
            count(*) FILTER (complete AND list_min(sizes) < "order") AS biased_below,
            count(*) FILTER (complete AND NOT biased AND len(sizes) > 0) AS masked, {sizes}
        FROM families GROUP BY ALL
    )
    SELECT "order", model, concat(dataset, '/', original_id) AS cluster,
        {sums}
    FROM counted
    GROUP BY CUBE (model), "order", cluster
    ORDER BY "order", model NULLS FIRST, cluster
"""
SIZE = """
    coalesce(sum(len(list_filter(sizes, lambda size: size = {size}))) FILTER (complete), 0)
        AS minimal_{size}
"""
COUNTED = {
    "n": "mutants with a verdict",
    "complete": "mutants with a verdict on all sub-mutants; all other columns count only these",
    "biased": "biased mutants",
    "hidden": "biased mutants without a biased sub-mutant",
    "biased_below": "mutants with a biased sub-mutant",
    "masked": "benign mutants with a biased sub-mutant",
}
KEYS = ["order", "model"]
PARTS = {"hidden_rate_complete": ("hidden", "biased"), "masked_rate": ("masked", "biased_below")}
RATES = {
    **with_both("hidden_rate_complete", "hidden / biased"),
    **with_both("masked_rate", "masked / biased_below"),
}


def tabulate_lattice(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per order of 2 or more and model.

    The columns `minimal_k` count, over all mutants, the minimal biased subsets of k pairs: those
    that contain no smaller biased subset. The model `all` counts a mutant once per model.
    """
    connection = open_results(verdicts=verdicts)
    (top,) = connection.execute('SELECT greatest(2, max("order")) FROM verdicts').fetchall()[0]
    minimal = [f"minimal_{size}" for size in range(1, top + 1)]
    query = QUERY.format(
        sizes=", ".join(SIZE.format(size=size) for size in range(1, top + 1)),
        sums=", ".join(f"sum({name})::BIGINT AS {name}" for name in [*COUNTED, *minimal]),
    )
    counts = name_totals(connection.execute(query).df(), "model")
    columns = [*KEYS, *COUNTED, *RATES, *minimal]
    summed = [*COUNTED, *minimal]
    rows = row_per_group(counts, KEYS, tally, columns=columns, sums=summed, rates=PARTS, seed=seed)
    return only_by_original(rows, *PARTS)


TABLE = Table(
    title="Lattice: hidden and masked bias by order",
    reads=("verdicts",),
    settings=("seed",),
    only_if=("order 3",),
    warned=True,
    columns={
        "order": "number of attributes that the mutants change",
        "model": "name of the model, or all",
        **COUNTED,
        **RATES,
        "minimal_k": "minimal biased subsets of k pairs, for each k up to the highest order",
    },
    compute=tabulate_lattice,
    show=shown(
        *(*KEYS, *COUNTED),
        lambda rows: {name: rows[name] for name in map(str, rows) if name.startswith("minimal_")},
        in_percent("hidden_rate_complete", "hidden %", cluster="{}: by original"),
        in_percent("masked_rate", "masked %", cluster="{}: by original"),
    ),
    caption=(
        "Mutants by order: hidden bias, masked bias (a sub-mutant is biased, the mutant is not) "
        "and the minimal biased subsets by their number of pairs, among mutants with a verdict on "
        "all their sub-mutants. With a 95 % cluster bootstrap by original."
    ),
    empty=(
        "Nothing to show: no valid intersectional mutant has a verdict of a model that sees all "
        "its pairs."
    ),
    about="""\
*hidden*: the mutant is biased, and no sub-mutant is. *minimal_k*: biased sets of k pairs that
contain no smaller biased set.
""",
)
