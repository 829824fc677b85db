"""Sub-mutants of every order: which smallest sets of pairs are biased, hidden, or masked (RQ4)."""

import pandas as pd

from .groups import name_totals
from .shares import rate_columns, rate_names
from .sources import Results, open_results
from .writing import percent, percent_intervals

# A minimal subset that is not the whole mutant is a biased sub-mutant.
QUERY = """
    WITH told AS (
        SELECT model, dataset, original_id, "order", complete, biased, hidden,
            list_transform(
                minimal_subsets, lambda subset: len(string_split(subset, '|'))
            ) AS sizes
        FROM verdicts WHERE "order" >= 2 AND counted
    ),
    counted AS (
        SELECT "order", model, dataset, original_id, count(*) AS n,
            count(*) FILTER (complete) AS complete,
            count(*) FILTER (complete AND biased) AS biased,
            count(*) FILTER (complete AND hidden) AS hidden,
            count(*) FILTER (complete AND list_min(sizes) < "order") AS biased_below,
            count(*) FILTER (complete AND NOT biased AND len(sizes) > 0) AS masked, {sizes}
        FROM told GROUP BY ALL
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
COUNTED = ["n", "complete", "biased", "hidden", "biased_below", "masked"]


def tabulate_lattice(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per order of 2 or more and model.

    Of the `n` mutants with a verdict, `complete` have one on all their sub-mutants; all else is
    counted among these. `biased` are biased, `hidden` of them with no biased sub-mutant:
    `hidden_rate`. `biased_below` have a biased sub-mutant, `masked` of them are benign themselves:
    `masked_rate`. `minimal_k` counts the minimal biased subsets of k pairs, those with no biased
    subset inside, over all mutants. Both rates have a Wilson interval (`_low`, `_high`) and a
    cluster bootstrap by original (`_cluster_low`, `_cluster_high`). Model `all` counts a mutant
    once per model.
    """
    connection = open_results(verdicts=verdicts)
    (top,) = connection.execute('SELECT greatest(2, max("order")) FROM verdicts').fetchall()[0]
    minimal = [f"minimal_{size}" for size in range(1, top + 1)]
    query = QUERY.format(
        sizes=", ".join(SIZE.format(size=size) for size in range(1, top + 1)),
        sums=", ".join(f"sum({name})::BIGINT AS {name}" for name in [*COUNTED, *minimal]),
    )
    counts = name_totals(connection.execute(query).df(), "model")
    rows = [
        {"order": order, "model": model, **_row(group, minimal, seed=seed)}
        for (order, model), group in counts.groupby(["order", "model"], sort=False)
    ]
    rates = [*rate_names("hidden_rate"), *rate_names("masked_rate")]
    return pd.DataFrame(rows, columns=["order", "model", *COUNTED, *rates, *minimal])


def show_lattice(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: percentages with intervals by original."""
    minimal = [name for name in map(str, rows) if name.startswith("minimal_")]
    shown = rows[["order", "model", *COUNTED, *minimal]].copy()
    for place, name in enumerate(("hidden", "masked")):
        shown[f"{name} %"] = rows[f"{name}_rate"].map(percent)
        # Markdown tables need distinct titles.
        shown["by original" + " " * place] = percent_intervals(rows, f"{name}_rate_cluster")
    return shown


def _row(counts: pd.DataFrame, minimal: list[str], *, seed: int) -> dict[str, float]:
    return {
        **{name: int(counts[name].sum()) for name in COUNTED},
        **rate_columns("hidden_rate", counts["hidden"], counts["biased"], seed=seed),
        **rate_columns("masked_rate", counts["masked"], counts["biased_below"], seed=seed),
        **{name: int(counts[name].sum()) for name in minimal},
    }
