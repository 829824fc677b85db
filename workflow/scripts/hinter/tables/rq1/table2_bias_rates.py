"""Table 2 of the paper: intersectional and hidden bias rate per dataset and model (RQ1)."""

from math import nan
from typing import Any

import numpy as np
import pandas as pd

from ...statistics import cluster_bootstrap
from ..columns import with_bootstrap, with_both
from ..robustness import robust_cases
from ..shares import rate_columns
from ..sources import Results, open_results
from ..table import Table
from ..writing import four_decimals, percent, percent_intervals, show_points, whole
from .table2_beside import (
    EXCESS,
    HELD,
    ROBUST,
    SCORES,
    excess_columns,
    held_columns,
    noise_columns,
    robust_columns,
)

COUNTS = """
    SELECT dataset, model, "order", original_id, count(*) AS tested, bool_or(drawn) AS drawn,
        count(*) FILTER (counted) AS n,
        count(*) FILTER (counted AND biased) AS biased,
        count(*) FILTER (counted AND biased AND complete) AS complete,
        count(*) FILTER (counted AND hidden) AS hidden,
        CASE WHEN count(worse) > 0 THEN count(*) FILTER (counted AND worse) END AS worse,
        CASE WHEN count(worse) > 0 THEN count(*) FILTER (counted AND better) END AS better
    FROM verdicts WHERE "order" >= 2 AND valid AND drawn IS NOT FALSE
    GROUP BY dataset, model, "order", original_id
    ORDER BY dataset, model, "order", original_id
"""
VALID = """
    SELECT dataset, "order", sum(mutants)::BIGINT AS valid
    FROM counts WHERE reason IS NULL GROUP BY ALL
"""

RATES = {
    "dataset": "name of the dataset",
    "model": "name of the model",
    "order": "number of attributes that the mutants change",
    "valid": "exact number of valid mutants",
    "basis": "which of them were tested: all, a uniform sample, or the suite of drawn originals "
    "and pairs",
    "n": "mutants with a verdict",
    "originals": "their originals",
    "biased": "biased ones of n",
    **with_both("bias_rate", "biased / n"),
    "worse": "those of biased that lost the favourable labels; empty where none is named",
    "better": "those of biased that gained favourable labels",
    **with_bootstrap("biased_valid", "number of biased mutants among all valid ones"),
    "hidden": "biased ones whose sub-mutants are all valid, were all run and are all benign",
    **with_both("hidden_rate", "hidden / biased"),
    "complete": "biased ones whose sub-mutants are all valid and were all run",
    **with_both("hidden_rate_complete", "hidden / complete"),
    "coverage": "complete / biased",
}


def tabulate_bias_rates(
    verdicts: Results,
    counts: Results,
    *,
    predictions: Results,
    accuracy: pd.DataFrame,
    noise_floor: pd.DataFrame | None = None,
    excess: pd.DataFrame | None = None,
    examined_cases: pd.DataFrame | None = None,
    seed: int,
) -> pd.DataFrame:
    """Return a row per dataset, model and order of 2 or more.

    `biased_valid` is counted where all valid mutants were tested, estimated where a sample was, and
    not given for a suite; it counts mutants without a verdict as not biased. The last columns are
    the model's held-out scores, from the table `accuracy`, and, where originals were asked about
    repeatedly, its noise rate, from the table `noise_floor`, and the shares of cases that held,
    from the table `examined_cases`, and how many hidden cases are robust; then, where there are
    controls, what the table `excess` says of all attributes.
    """
    connection = open_results(verdicts=verdicts, counts=counts)
    tested = connection.execute(COUNTS).df()
    valid = connection.execute(VALID).df().set_index(["dataset", "order"])["valid"]
    rows = [
        {
            "dataset": dataset,
            "model": model,
            "order": order,
            **_rates(group, valid=int(valid[dataset, order]), seed=seed),
        }
        for (dataset, model, order), group in tested.groupby(["dataset", "model", "order"])
    ]
    scores = accuracy[["dataset", "model", "accuracy", "macro_f1"]]
    rates = pd.DataFrame(rows, columns=list(RATES)).astype(
        dict.fromkeys((*_DIRECTIONS, *_BIASED_VALID), "Int64")
    )
    beside = rates.merge(scores, on=["dataset", "model"], how="left")
    beside = beside.merge(noise_columns(noise_floor), on=["dataset", "model"], how="left")
    robust = robust_columns(robust_cases(verdicts, predictions))
    for told in (held_columns(examined_cases), robust, excess_columns(excess)):
        beside = beside.merge(told, on=["dataset", "model", "order"], how="left")
    return beside


def show_bias_rates(rates: pd.DataFrame) -> pd.DataFrame:
    """Return the rates as they are read: percentages with 95 % Wilson intervals."""
    shown: dict[str, Any] = {
        "dataset": rates["dataset"],
        "model": rates["model"],
        "accuracy %": rates["accuracy"].map(percent),
        "macro F1 %": rates["macro_f1"].map(percent),
        "order": rates["order"],
        "valid": rates["valid"],
        "tested": rates["n"],
        "basis": rates["basis"],
        "originals": rates["originals"],
        "bias %": rates["bias_rate"].map(percent),
        "Wilson": percent_intervals(rates, "bias_rate"),
        "by original": percent_intervals(rates, "bias_rate_cluster"),
        **{name: rates[name].map(whole) for name in _DIRECTIONS if rates[name].notna().any()},
        "biased of all valid": _estimates(rates),
        "hidden % of biased": rates["hidden_rate"].map(percent),
        "hidden % of biased: by original": percent_intervals(rates, "hidden_rate_cluster"),
        "hidden % of complete": rates["hidden_rate_complete"].map(percent),
        "hidden % of complete: by original": percent_intervals(
            rates, "hidden_rate_complete_cluster"
        ),
        "coverage %": rates["coverage"].map(percent),
    }
    if rates["robust_of"].notna().any():
        shown |= {"robustly hidden": rates["robust"].map(whole)}
        shown |= {"of hidden with scores": rates["robust_of"].map(whole)}
    for name, title in (("excess", "excess"), ("hidden_excess", "hidden excess")):
        if rates[name].notna().any():
            shown |= show_points(rates, name, title=title)
            shown[f"{title}: q"] = rates[f"{name}_q_value"].map(four_decimals)
    if rates["noise_rate"].notna().any():
        shown["noise %"] = rates["noise_rate"].map(percent)
        shown["noise %: Wilson"] = percent_intervals(rates, "noise_rate")
    for name, title in (("held_rate", "held %"), ("hidden_held_rate", "hidden held %")):
        if rates[name].notna().any():
            shown[title] = rates[name].map(percent)
            shown[f"{title}: Wilson"] = percent_intervals(rates, name)
    return pd.DataFrame(shown)


_DIRECTIONS = ("worse", "better")
_BIASED_VALID = ("biased_valid", "biased_valid_low", "biased_valid_high")


def _rates(counts: pd.DataFrame, *, valid: int, seed: int) -> dict[str, float | str]:
    n, biased, complete, hidden = counts[["n", "biased", "complete", "hidden"]].sum().tolist()
    counted = counts[counts["n"] > 0]
    return {
        "valid": valid,
        "basis": _basis(counts, valid=valid),
        "n": n,
        "originals": len(counted),
        "biased": biased,
        **rate_columns("bias_rate", counts["biased"], counts["n"], seed=seed),
        **{name: counts[name].sum(min_count=1) for name in _DIRECTIONS},
        **_biased_valid(counts, valid=valid, seed=seed),
        "hidden": hidden,
        **rate_columns("hidden_rate", counts["hidden"], counts["biased"], seed=seed),
        "complete": complete,
        **rate_columns("hidden_rate_complete", counts["hidden"], counts["complete"], seed=seed),
        "coverage": round(complete / biased, 6) if biased else nan,
    }


def _basis(counts: pd.DataFrame, *, valid: int) -> str:
    if counts["tested"].sum() == valid:
        return "all"
    return "sample" if counts["drawn"].notna().all() else "suite"


def _biased_valid(counts: pd.DataFrame, *, valid: int, seed: int) -> dict[str, float]:
    """Return the number of biased mutants among all valid ones, with its interval."""
    biased, basis = int(counts["biased"].sum()), _basis(counts, valid=valid)
    numbers: tuple[float, ...]
    if basis == "suite" or not counts["n"].any():
        numbers = (nan, nan, nan)
    elif basis == "all":
        numbers = (biased, biased, biased)
    else:
        by_original = [counts[name].tolist() for name in ("biased", "tested")]
        shares = (biased / sum(by_original[1]), *cluster_bootstrap(*by_original, seed=seed))
        numbers = tuple(np.round(np.multiply(shares, valid)).tolist())
    return dict(zip(_BIASED_VALID, numbers, strict=True))


def _estimates(rates: pd.DataFrame) -> list[str]:
    return [
        "-"
        if pd.isna(value)
        else f"{value}"
        if low is not pd.NA and low == high
        else f"{value} [{low}, {high}]".replace("<NA>", "?")
        for value, low, high in rates[list(_BIASED_VALID)].itertuples(index=False)
    ]


TABLE = Table(
    question="RQ1",
    title="Table 2: bias rates",
    reads=(
        "verdicts",
        "predictions",
        "counts",
        "accuracy",
        "noise_floor",
        "examined_cases",
        "excess",
    ),
    settings=("seed",),
    warned=True,
    columns=RATES | SCORES | HELD | ROBUST | EXCESS,
    compute=tabulate_bias_rates,
    show=show_bias_rates,
    caption=(
        "Intersectional bias rate (share of valid intersectional mutants that are biased) and "
        "hidden bias rate (share of biased ones whose sub-mutants are all valid, were all run and "
        "are all benign), with a 95 % cluster bootstrap by original and Wilson's interval. "
        "Coverage is the share of biased mutants whose sub-mutants are all valid and were all run. "
        "The number of valid mutants is exact; the basis says whether all of them were tested, a "
        "uniform sample, or a suite of drawn originals and pairs. The number of biased ones among "
        "all valid mutants is counted in the first case and estimated in the second, with an "
        "interval by original. A bias rate says little about a model of low accuracy. Noise, where "
        "measured, is the rate at which a model changes its answer when it is asked the same "
        "again; local models answer alike each time. Held is the share of a sample of biased "
        "mutants, and of hidden cases, that are so each time they are asked about. Excess is what "
        "a rate is above that of matched controls, in which a neutral pair stands in for one of "
        "the sensitive ones, in percentage points, with an interval by original and a permutation "
        "test (q). A rate whose excess has a q above 0.05 is no evidence of bias."
    ),
    empty="Nothing to show: no valid intersectional mutant was run.",
    about="""\
Intersectional and hidden bias rates, in the form of the paper's Table 2. *bias* is the share of the
valid intersectional mutants run that are biased. *hidden* is the share of biased mutants whose
sub-mutants are all valid, were all run and are all benign: once among all biased mutants, once
among the complete ones (all sub-mutants valid and run), whose share is the coverage. Wilson
intervals treat mutants as independent; mutants of one original are not, so the interval *by
original* (cluster bootstrap) is the one to quote.
""",
)
