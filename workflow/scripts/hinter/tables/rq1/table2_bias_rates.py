"""Table 2 of the paper: intersectional and hidden bias rate per dataset and model (RQ1)."""

from collections.abc import Mapping
from math import nan

import numpy as np
import pandas as pd

from ...statistics import cluster_bootstrap
from ..columns import BIAS_RATES, with_bootstrap, with_both, with_wilson
from ..groups import in_columns, rates_by, row_per_group
from ..label_scores import robust_cases
from ..shown import (
    NONE,
    difference_of,
    each_as,
    four_decimals,
    in_percent,
    percent,
    shown,
    titled,
    where_known,
    whole,
)
from ..table import Results, Table, query_results
from .excess import ONE_PAIR

COUNTS = """
    SELECT dataset, model, "order", original_id, count(*) AS tested, bool_or(sampled) AS sampled,
        count(*) FILTER (counted) AS n,
        count(*) FILTER (counted AND biased) AS biased,
        count(*) FILTER (counted AND biased AND complete) AS complete,
        count(*) FILTER (counted AND hidden) AS hidden,
        CASE WHEN count(worse) > 0 THEN count(*) FILTER (counted AND worse) END AS worse,
        CASE WHEN count(worse) > 0 THEN count(*) FILTER (counted AND better) END AS better,
        any_value(all_valid) AS valid
    FROM verdicts JOIN (
        SELECT dataset, "order", sum(mutants)::BIGINT AS all_valid
        FROM counts WHERE reason IS NULL GROUP BY ALL
    ) USING (dataset, "order")
    WHERE "order" >= 2 AND valid AND sampled IS NOT FALSE
    GROUP BY dataset, model, "order", original_id
    ORDER BY dataset, model, "order", original_id
"""
KEYS = ["dataset", "model", "order"]

RATES = {
    "dataset": "name of the dataset",
    "model": "name of the model",
    "order": "number of attributes that the mutants change",
    "valid": "exact number of valid mutants",
    "basis": "which of them were tested: all, a uniform sample, or the suite of sampled originals "
    "and pairs",
    "n": "mutants with a verdict",
    "originals": "originals of these mutants",
    "biased": "biased mutants of n",
    **with_both("bias_rate", "biased / n"),
    "worse": "biased mutants that lost the favourable labels; empty if none is named",
    "better": "biased mutants that gained favourable labels",
    **with_bootstrap("biased_valid", "number of biased mutants among all valid ones"),
    "hidden": "biased mutants whose sub-mutants are all valid, were all run and are all benign",
    **with_both("hidden_rate", "hidden / biased"),
    "complete": "biased mutants whose sub-mutants are all valid and were all run",
    **with_both("hidden_rate_complete", "hidden / complete"),
    "coverage": "complete / biased",
}
SCORES = {
    "accuracy": "the model's held-out accuracy",
    "macro_f1": "its held-out macro F1",
    **with_wilson("noise_rate", "share of answers that it changes when asked again"),
}
HELD = {
    **with_wilson("held_rate", "share of examined biased mutants that are biased each time"),
    **with_wilson("hidden_held_rate", "share of examined hidden cases that are hidden each time"),
}
"""Columns of the cases that the model was asked about more than once."""

ROBUST = {
    "robust": "hidden cases whose outcomes are all at least twice the noise of neutral edits away "
    "from the threshold",
    "robust_of": "hidden cases for which this is known: with scores, at most two labels or "
    "several per text, and controls",
}
EXCESS = {
    **with_bootstrap("excess", "bias rate minus that of the controls (sensitive + neutral)"),
    "excess_q_value": "permutation test of it, with Benjamini-Hochberg's adjustment",
    **with_bootstrap(
        "hidden_excess", "share of hidden bias among all mutants minus that among their controls"
    ),
    "hidden_excess_q_value": "permutation test of this, with Benjamini-Hochberg's adjustment",
}
"""Columns of mutants that, like their control, have a verdict (hidden: on all sub-mutants)."""
COLUMNS = RATES | SCORES | HELD | ROBUST | EXCESS


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

    `biased_valid` is counted if all valid mutants were tested, estimated if a sample was, and not
    given for a suite; it counts mutants without a verdict as not biased. The last columns are the
    model's held-out scores (table `accuracy`); if originals were asked about repeatedly, its noise
    rate (`noise_floor`); the shares of cases that held (`examined_cases`); the number of robust
    hidden cases; and, if there are controls, the excess over all attributes (`excess`).
    """
    tested = query_results(COUNTS, verdicts=verdicts, counts=counts)
    counted = tested[[*KEYS, "n", "biased", "complete", "hidden"]]
    rates = rates_by(counted, KEYS, BIAS_RATES, seed=seed).drop(columns="originals")
    rates = rates.join(row_per_group(tested, KEYS, _of_valid, seed=seed))
    numbers = dict.fromkeys((*_DIRECTIONS, *_BIASED_VALID), "Int64")
    rates = in_columns(rates, RATES).astype(numbers)
    rates = rates.merge(_robust(robust_cases(verdicts, predictions)), on=KEYS, how="left")
    against = f"attributes == 'all' and compared_with == '{ONE_PAIR}' and measure == "
    of_excess = {"excess": "excess", "q_value": "excess_q_value"}
    of_hidden = {name: f"hidden_{new}" for name, new in of_excess.items()}
    for table, where, columns in (
        (accuracy, "", {"accuracy": "accuracy", "macro_f1": "macro_f1"}),
        (noise_floor, "", {"flip_rate": "noise_rate"}),
        (examined_cases, "kind == 'biased'", {"held_rate": "held_rate"}),
        (examined_cases, "kind == 'hidden'", {"held_rate": "hidden_held_rate"}),
        (excess, f"{against}'bias'", of_excess),
        (excess, f"{against}'hidden bias'", of_hidden),
    ):
        if table is not None:
            more = _renamed(table.query(where) if where else table, columns)
            rates = rates.merge(more, how="left")
    return rates.reindex(columns=list(COLUMNS))


def _renamed(table: pd.DataFrame, columns: Mapping[str, str]) -> pd.DataFrame:
    """Return columns of another table, with their intervals, by the `KEYS` that it has."""
    names = {
        f"{name}{end}": f"{new}{end}"
        for name, new in columns.items()
        for end in ("", "_low", "_high")
        if new + end in COLUMNS
    }
    keys = [key for key in KEYS if key in table]
    return table[[*keys, *names]].rename(columns=names)


def _robust(cases: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of robustly hidden mutants, given the hidden ones (`robust_cases`)."""
    known = cases[cases["counted"] & cases["robust"].notna()]
    counts = known.groupby(KEYS)["robust"].agg(robust="sum", robust_of="count")
    return counts.astype("Int64").reset_index()


_DIRECTIONS = ("worse", "better")
_BIASED_VALID = ("biased_valid", "biased_valid_low", "biased_valid_high")


def _of_valid(counts: pd.DataFrame, *, seed: int) -> dict[str, float | str]:
    valid, biased = int(counts["valid"].iloc[0]), int(counts["biased"].sum())
    basis = "sample" if counts["sampled"].notna().all() else "suite"
    basis = "all" if counts["tested"].sum() == valid else basis
    return {
        "originals": int((counts["n"] > 0).sum()),
        "valid": valid,
        "basis": basis,
        **{name: counts[name].sum(min_count=1) for name in _DIRECTIONS},
        **_biased_valid(counts, basis=basis, valid=valid, seed=seed),
        "coverage": round(counts["complete"].sum() / biased, 6) if biased else nan,
    }


def _biased_valid(counts: pd.DataFrame, *, basis: str, valid: int, seed: int) -> dict[str, float]:
    """Return the number of biased mutants among all valid ones, with its interval."""
    if basis == "suite" or not counts["n"].any():
        return dict.fromkeys(_BIASED_VALID, nan)
    biased, tested = (counts[name].tolist() for name in ("biased", "tested"))
    if basis == "all":
        return dict.fromkeys(_BIASED_VALID, sum(biased))
    shares = (sum(biased) / sum(tested), *cluster_bootstrap(biased, tested, seed=seed))
    return dict(zip(_BIASED_VALID, np.round(np.multiply(shares, valid)).tolist(), strict=True))


def _estimates(rates: pd.DataFrame) -> dict[str, list[str]]:
    estimates = []
    for value, low, high in rates[list(_BIASED_VALID)].itertuples(index=False):
        exact = low is not pd.NA and low == high
        interval = "" if exact else f" [{low}, {high}]".replace("<NA>", "?")
        estimates.append(NONE if pd.isna(value) else f"{value}{interval}")
    return {"biased of all valid": estimates}


TABLE = Table(
    title="Table 2: bias rates",
    columns=COLUMNS,
    compute=tabulate_bias_rates,
    show=shown(
        *("dataset", "model"),
        each_as(percent, accuracy="accuracy %", macro_f1="macro F1 %"),
        *("order", "valid"),
        titled(n="tested"),
        *("basis", "originals"),
        in_percent("bias_rate", "bias %", ends="Wilson", cluster="by original"),
        *(where_known(name, each_as(whole, **{name: name})) for name in _DIRECTIONS),
        _estimates,
        in_percent("hidden_rate", "hidden % of biased", cluster="{}: by original"),
        in_percent("hidden_rate_complete", "hidden % of complete", cluster="{}: by original"),
        in_percent("coverage", "coverage %"),
        where_known(
            "robust_of", each_as(whole, robust="robustly hidden", robust_of="of hidden with scores")
        ),
        *(
            where_known(
                name,
                difference_of(name, title),
                each_as(four_decimals, **{f"{name}_q_value": f"{title}: q"}),
            )
            for name, title in (("excess", "excess"), ("hidden_excess", "hidden excess"))
        ),
        *(
            where_known(f"{name}_rate", in_percent(f"{name}_rate", title, ends="{}: Wilson"))
            for name, title in (
                ("noise", "noise %"),
                ("held", "held %"),
                ("hidden_held", "hidden held %"),
            )
        ),
    ),
    empty="Nothing to show: no valid intersectional mutant was run.",
    text="""\
Intersectional bias rate (share of valid intersectional mutants that are biased) and hidden bias
rate (share of biased ones whose sub-mutants are all valid, were all run and are all benign), with a
95 % cluster bootstrap by original and Wilson's interval. Coverage is the share of biased mutants
whose sub-mutants are all valid and were all run. The number of valid mutants is exact; the basis
says whether all of them were tested, a uniform sample, or a suite of sampled originals and pairs.
The number of biased ones of all valid mutants is counted in the first case and estimated in the
second, with an interval by original. A bias rate means little for a model with low accuracy. Noise,
if measured, is the rate at which a model changes its answer when it is asked again; local models
always give the same answer. Held is the share of a sample of biased mutants, and of hidden cases,
that are so each time they are asked about. Excess is the difference between a rate and that of
matched controls, in which a neutral pair stands in for one of the sensitive ones, in percentage
points, with an interval by original and a permutation test (q). A rate whose excess has a q above
0.05 is no evidence of bias.

*hidden* is given as a share of all biased mutants and of the complete ones, whose share is the
coverage. Wilson intervals treat mutants as independent; mutants of one original are not, so quote
the interval *by original*.
""",
)
