"""Table 2 of the paper: intersectional and hidden bias rate per dataset and model (RQ1)."""

from math import nan

import pandas as pd

from ..statistics import cluster_bootstrap, wilson_interval
from .sources import Results, open_results
from .writing import percent, percent_intervals

# A mutant of which the model sees fewer pairs than its order is not counted as of that order.
COUNTS = """
    SELECT dataset, model, original_id, count(*) AS n,
        count(*) FILTER (biased) AS biased,
        count(*) FILTER (biased AND complete) AS complete,
        count(*) FILTER (hidden) AS hidden
    FROM verdicts
    WHERE "order" >= 2 AND valid AND biased IS NOT NULL AND visible_order = "order"
    GROUP BY dataset, model, original_id
    ORDER BY dataset, model, original_id
"""


def tabulate_bias_rates(verdicts: Results, *, accuracy: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Return a row per dataset and model.

    `n` valid intersectional mutants of `originals` originals were run, `biased` of them are biased:
    `bias_rate` with its Wilson interval (`_low`, `_high`) and its cluster bootstrap by original
    (`_cluster_low`, `_cluster_high`). `hidden` are hidden: `hidden_rate` of all biased ones, and
    `hidden_rate_complete` of the `complete` ones, biased mutants whose sub-mutants were all valid
    and run; `coverage` is complete / biased. Then the model's held-out `accuracy` and `macro_f1`.
    """
    counts = open_results(verdicts=verdicts).execute(COUNTS).df()
    rows = [
        {"dataset": dataset, "model": model, **_rates(group, seed=seed)}
        for (dataset, model), group in counts.groupby(["dataset", "model"])
    ]
    scores = accuracy[["dataset", "model", "accuracy", "macro_f1"]]
    return pd.DataFrame(rows, columns=list(_COLUMNS)).merge(
        scores, on=["dataset", "model"], how="left"
    )


def show_bias_rates(rates: pd.DataFrame) -> pd.DataFrame:
    """Return the rates as they are read: percentages with 95 % Wilson intervals."""
    shown = {
        "dataset": rates["dataset"],
        "model": rates["model"],
        "accuracy %": rates["accuracy"].map(percent),
        "macro F1 %": rates["macro_f1"].map(percent),
        "mutants": rates["n"],
        "originals": rates["originals"],
        "bias %": rates["bias_rate"].map(percent),
        "Wilson": percent_intervals(rates, "bias_rate"),
        "by original": percent_intervals(rates, "bias_rate_cluster"),
        "hidden % of biased": rates["hidden_rate"].map(percent),
        "Wilson ": percent_intervals(rates, "hidden_rate"),
        "hidden % of complete": rates["hidden_rate_complete"].map(percent),
        "Wilson  ": percent_intervals(rates, "hidden_rate_complete"),
        "coverage %": rates["coverage"].map(percent),
    }
    return pd.DataFrame(shown)


_COLUMNS = (
    "dataset",
    "model",
    "n",
    "originals",
    "biased",
    *("bias_rate", "bias_rate_low", "bias_rate_high"),
    *("bias_rate_cluster_low", "bias_rate_cluster_high"),
    "hidden",
    *("hidden_rate", "hidden_rate_low", "hidden_rate_high"),
    "complete",
    *("hidden_rate_complete", "hidden_rate_complete_low", "hidden_rate_complete_high"),
    "coverage",
)


def _rates(counts: pd.DataFrame, *, seed: int) -> dict[str, float]:
    n, biased, complete, hidden = counts[["n", "biased", "complete", "hidden"]].sum().tolist()
    low, high = cluster_bootstrap(counts["biased"].tolist(), counts["n"].tolist(), seed=seed)
    return {
        "n": n,
        "originals": len(counts),
        "biased": biased,
        **_proportion("bias_rate", biased, n),
        "bias_rate_cluster_low": round(low, 6),
        "bias_rate_cluster_high": round(high, 6),
        "hidden": hidden,
        **_proportion("hidden_rate", hidden, biased),
        "complete": complete,
        **_proportion("hidden_rate_complete", hidden, complete),
        "coverage": round(complete / biased, 6) if biased else nan,
    }


def _proportion(name: str, successes: int, n: int) -> dict[str, float]:
    low, high = wilson_interval(successes, n)
    rate = successes / n if n else nan
    return {name: round(rate, 6), f"{name}_low": round(low, 6), f"{name}_high": round(high, 6)}
