"""Differences of bias rate between models, paired on identical suites."""

from itertools import combinations
from typing import Any

import duckdb
import numpy as np
import pandas as pd

from ..statistics import (
    bootstrap_difference,
    mcnemar_exact,
    minimum_detectable_effect,
    q_values,
    sign_flip_test,
)
from .groups import KIND, name_totals
from .sources import Results, open_results
from .suites import suite_digests
from .writing import percent, percent_intervals, points

# Verdicts are sorted alike: side by side, and checked, they need no join of millions of ids.
QUERY = f"""
    WITH told AS NOT MATERIALIZED (
        SELECT mutant_id, original_id, model, {KIND} AS kind,
            CASE WHEN visible_order = "order" THEN biased END AS biased
        FROM verdicts WHERE dataset = $dataset AND valid AND drawn IS NULL
    ),
    paired AS (
        SELECT kind, original_id, first, second
        FROM (SELECT * RENAME (biased AS first) FROM told WHERE model = $first)
        POSITIONAL JOIN
            (SELECT mutant_id AS other, biased AS second FROM told WHERE model = $second)
        WHERE if(mutant_id = other, true, error('verdicts on ' || mutant_id || ' and ' || other))
    ),
    counted AS (
        SELECT kind, original_id, count(first = second) AS n,
            count(*) FILTER (first AND second) AS both_biased,
            count(*) FILTER (first AND NOT second) AS first_only,
            count(*) FILTER (second AND NOT first) AS second_only,
            count(*) - n AS left_out
        FROM paired GROUP BY ALL
    )
    SELECT kind, original_id, {{sums}}
    FROM counted GROUP BY CUBE (kind), original_id
    ORDER BY kind DESC NULLS FIRST, original_id
"""
COUNTED = ["n", "both_biased", "first_only", "second_only", "left_out"]
SUMS = ", ".join(f"sum({name})::BIGINT AS {name}" for name in COUNTED)


def tabulate_model_comparison(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset, kind of mutant and pair of models.

    `suite` is the digest of the valid mutants both were run on. Both have a verdict on `n` of them,
    at least one has none on the `left_out`. `first_rate` and `second_rate` are the bias rates of
    the two models there, `difference` the first minus the second with its 95 % cluster bootstrap by
    original (`_low`, `_high`). `first_only` and `second_only` mutants are biased under one of them
    alone: `mcnemar_p` is McNemar's exact test of these, for which mutants are independent;
    `p_value` exchanges the models in whole originals and is the one to quote, and `q_value` is its
    Benjamini-Hochberg adjustment over all rows. A difference of `detectable` would be found with a
    probability of 80 %. Mutants of sampled orders are left out.

    Raises `InputError` where models were run on different suites.
    """
    connection = open_results(verdicts=verdicts)
    suites = suite_digests(connection)
    rows = [
        {"dataset": dataset, **row, "suite": suites[dataset][:16]}
        for dataset in suites
        for first, second in combinations(_models(verdicts, dataset), 2)
        for row in _compare(connection, dataset, first, second, seed=seed)
    ]
    table = pd.DataFrame(rows, columns=list(_COLUMNS))
    return table.assign(q_value=q_values(table["p_value"].tolist()).round(6))


def show_model_comparison(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: rates and differences in per cent."""
    shown: dict[str, Any] = {name: rows[name] for name in ("dataset", "kind", "first", "second")}
    shown |= {"mutants": rows["n"], "left out": rows["left_out"]}
    shown |= {f"{name} %": rows[f"{name}_rate"].map(percent) for name in ("first", "second")}
    shown["difference"] = rows["difference"].map(lambda value: points(100 * value))
    shown["by original"] = percent_intervals(rows, "difference")
    shown |= {name.replace("_", " "): rows[name] for name in ("first_only", "second_only")}
    for name, title in (("mcnemar_p", "McNemar p"), ("p_value", "p"), ("q_value", "q")):
        shown[title] = rows[name].map("{:.4f}".format)
    shown["detectable"] = rows["detectable"].map(percent)
    return pd.DataFrame(shown)


_COLUMNS = (
    *("dataset", "kind", "first", "second", "suite", "n", "left_out"),
    *("first_rate", "second_rate", "difference", "difference_low", "difference_high"),
    *("first_only", "second_only", "mcnemar_p", "p_value", "q_value", "detectable"),
)


def _models(verdicts: Results, dataset: str) -> list[str]:
    return [model for model, of, _ in verdicts if of == dataset]


def _compare(
    connection: duckdb.DuckDBPyConnection, dataset: str, first: str, second: str, *, seed: int
) -> list[dict[str, Any]]:
    """Return the rows of two models, by kind of mutant."""
    names = {"dataset": dataset, "first": first, "second": second}
    counts = connection.execute(QUERY.format(sums=SUMS), names).df()
    return [
        {"kind": kind, "first": first, "second": second, **_row(group, seed=seed)}
        for kind, group in name_totals(counts, "kind").groupby("kind", sort=False)
        if group["n"].any()
    ]


def _row(counts: pd.DataFrame, *, seed: int) -> dict[str, float]:
    counts = counts.astype({name: int for name in COUNTED})
    n, both, first_only, second_only, left_out = (int(counts[name].sum()) for name in COUNTED)
    tried = counts[counts["n"] > 0]
    lead = (tried["first_only"] - tried["second_only"]).tolist()
    biased = [(tried["both_biased"] + tried[name]).tolist() for name in COUNTED[2:4]]
    trials = tried["n"].tolist()
    low, high = bootstrap_difference((biased[0], trials), (biased[1], trials), seed=seed)
    numbers = {
        "first_rate": (both + first_only) / n,
        "second_rate": (both + second_only) / n,
        "difference": (first_only - second_only) / n,
        "difference_low": low,
        "difference_high": high,
        "mcnemar_p": mcnemar_exact(first_only, second_only),
        "p_value": sign_flip_test(lead, seed=seed),
        "detectable": minimum_detectable_effect(float(np.sqrt(np.square(lead).sum())) / n),
    }
    counted = {"n": n, "left_out": left_out, "first_only": first_only, "second_only": second_only}
    return counted | {name: round(number, 6) for name, number in numbers.items()}
