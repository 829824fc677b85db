"""Figures 6 and 7 of the paper: discarded mutants, and the biased ones among them (RQ3)."""

from collections.abc import Mapping
from math import isnan
from typing import Any

import pandas as pd

from ...statistics import bootstrap_rate_ratio
from ..columns import number_columns, with_bootstrap, with_both
from ..groups import (
    BY_REASON,
    LEVEL,
    in_columns,
    name_totals,
    rates_by,
    row_per_group,
    shares_by,
    split_checks,
)
from ..shown import (
    each_as,
    in_percent,
    in_points,
    percent,
    percent_intervals,
    point_intervals,
    points,
    shown,
    titled,
)
from ..table import Results, Table, open_results, query_results

LEFT_OUT = """
    SELECT DISTINCT model, dataset FROM verdicts ANTI JOIN discarded_runs USING (model, dataset)
    ORDER BY ALL
"""


def describe_false_positives(rows: pd.DataFrame) -> str:
    """Return what the rows of `tabulate_false_positives` show over all models and all mutants.

    Their number and their rate are reported separately: most biased mutants may be discarded only
    because most mutants are.
    """
    total = rows[(rows["model"] == "all") & (rows["level"] == "all")]
    if set(total["check"]) != {"valid", "discarded"}:
        return "Nothing to compare: valid and discarded mutants do not both have verdicts."
    if not total["biased"].sum():
        return f"None of the {total['n'].sum():,} tested mutants is biased."
    intervals = percent_intervals(total, "bias_rate_cluster")
    of_valid, of_discarded = (
        f"{percent(rate)} % {interval}".removesuffix(" -")
        for rate, interval in zip(total["bias_rate"], intervals, strict=True)
    )
    discarded = total[total["check"] == "discarded"]
    (row,) = discarded.to_dict("records")
    (ratio_interval,) = point_intervals(discarded, "rate_ratio")
    return (
        f"Discarded mutants are {percent(row['mutants_share'])} % of the tested mutants and "
        f"{percent(row['biased_share'])} % of the biased ones. Their bias rate is {of_discarded}, "
        f"that of valid mutants {of_valid}{_comparison(row, ratio_interval)}. The {row['biased']} "
        "biased discarded mutants are would-be false positives if every discarded mutant is "
        "broken, which these numbers do not show."
    )


def _comparison(row: Mapping[Any, Any], interval: str) -> str:
    low, high = row["rate_ratio_low"], row["rate_ratio_high"]
    if isnan(low):
        return ", too few for the interval of a ratio"
    if low > 1:
        finding = "so discarded mutants are biased more often"
    elif high < 1:
        finding = "so discarded mutants are biased less often"
    else:
        finding = "so no difference between the two rates is shown"
    return f": ratio {points(row['rate_ratio'])} {interval}, {finding}"


def describe_left_out(verdicts: Results) -> list[str]:
    """Return a note that names the models run on no discarded mutants, if there are any."""
    runs = open_results(verdicts=verdicts).execute(LEFT_OUT).fetchall()
    named = ", ".join(f"{model} on {dataset}" for model, dataset in runs)
    return [f"Left out because no discarded mutants were run: {named}."] if runs else []


VALIDITY_QUERY = f"""
    SELECT dataset, {LEVEL} AS level, [dataset, original_id] AS cluster, {BY_REASON}
    FROM counts
    GROUP BY CUBE (dataset, level), cluster
    ORDER BY dataset NULLS FIRST, level DESC NULLS FIRST, cluster
"""
DISCARDING = {
    "sentence_count": "discarded for a different number of sentences",
    "pos": "discarded for different parts of speech",
    "dep": "discarded for different dependency labels",
}
VALIDITY_COLUMNS = {
    "dataset": "name of the dataset, or all",
    "level": "level of the mutants: all, intersectional or atomic",
    "mutants": "exact number of mutants",
    "valid": "valid mutants",
    "discarded": "discarded mutants",
    **DISCARDING,
    "unchecked": "mutants with a sentence that is not checked",
    **with_bootstrap("valid_share", "valid / (valid + discarded)"),
}


def tabulate_validity(counts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset and level of mutants, of all mutants of all orders.

    The counts are exact. The interval of a share is for other texts of the same kind.
    """
    sums = name_totals(query_results(VALIDITY_QUERY, counts=counts), "dataset", "level")
    sums = sums.assign(discarded=sums[list(DISCARDING)].sum(axis=1))
    sums = sums.assign(checked=sums["valid"] + sums["discarded"])
    shares = {"valid_share": ("valid", "checked")}
    rows = shares_by(sums, ["dataset", "level"], shares, seed=seed)
    return in_columns(rows, VALIDITY_COLUMNS)


FIGURE6_VALIDITY = Table(
    title="Figure 6 as a table: valid and discarded mutants",
    columns=VALIDITY_COLUMNS,
    compute=tabulate_validity,
    show=shown(
        *("dataset", "level", "mutants", "valid", "discarded", *DISCARDING, "unchecked"),
        in_percent("valid_share", "valid %", ends="by original"),
    ),
    empty="Nothing to show: no mutant was made.",
    text="""\
Valid and discarded mutants of all tested texts, and why the latter are discarded: a different
number of sentences, different parts of speech, different dependency labels. The counts are exact.
The share of valid mutants is that of the checked ones, with a 95 % cluster bootstrap by original.

All mutants are counted, whether or not they were run. A discarded mutant differs in structure from
its original, which does not mean that it is wrong.
""",
)


BIAS_QUERY = f"""
    SELECT model, {LEVEL} AS level, if(valid, 'valid', 'discarded') AS "check",
        concat(dataset, '/', original_id) AS cluster, count(*) AS n,
        count(*) FILTER (biased) AS biased
    FROM seen_verdicts SEMI JOIN discarded_runs USING (model, dataset) WHERE sampled IS NULL
    GROUP BY CUBE (model, level), "check", cluster
    ORDER BY model NULLS FIRST, level DESC NULLS FIRST, "check" DESC, cluster
"""
KEYS = ["model", "level", "check"]
BIAS_COLUMNS = {
    "model": "name of the model, or all",
    "level": "level of the mutants: all, intersectional or atomic",
    "check": "the invariant's check: valid or discarded",
    "n": "mutants with a verdict by the model, which sees all their pairs",
    "originals": "originals of these mutants",
    "biased": "biased mutants of n",
    **with_both("bias_rate", "biased / n"),
    "mutants_share": "share of the tested mutants, valid and discarded",
    **with_bootstrap("biased_share", "share of the biased mutants, valid and discarded"),
    **with_bootstrap(
        "rate_ratio",
        "in rows of discarded mutants, their bias rate divided by that of the valid ones; null "
        "if no valid mutant is biased",
    ),
}


def tabulate_false_positives(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per model, level of mutants and check.

    Rows of the model `all` count a mutant once per model. Mutants of sampled orders are left out,
    and so are models that were run on no discarded mutants of a dataset.
    """
    sums = name_totals(query_results(BIAS_QUERY, verdicts=verdicts), "model", "level")
    rows = rates_by(sums, KEYS, {"bias_rate": ("biased", "n")}, seed=seed)
    of_both = rows.groupby(KEYS[:-1])["n"].transform("sum")
    rows = rows.assign(mutants_share=(rows["n"] / of_both).round(6))
    ratios = row_per_group(sums, KEYS[:-1], _bias_ratio, seed=seed).assign(check="discarded")
    rows = rows.join(_biased_shares(sums, seed=seed)).join(ratios.set_index("check", append=True))
    return in_columns(rows, BIAS_COLUMNS)


def _biased_shares(sums: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the shares of valid and of discarded mutants in the biased ones of both."""
    of_both = [*KEYS[:-1], "cluster"]
    # A cluster without mutants of a check has 0 of it.
    wide = sums.pivot(index=of_both, columns="check", values="biased").fillna(0)
    parts = wide.melt(value_name="biased", ignore_index=False).reset_index()
    parts["whole"] = parts.groupby(of_both)["biased"].transform("sum")
    shares = shares_by(parts, KEYS, {"biased_share": ("biased", "whole")}, seed=seed)
    return shares.filter(like="biased_share")


def _bias_ratio(counts: pd.DataFrame, *, seed: int) -> dict[str, float]:
    """Return the bias rate of discarded mutants over that of valid ones, with its interval."""
    valid, discarded = split_checks(counts, ["biased", "n"])
    if not (valid["biased"].sum() and discarded["n"].sum()):
        return {}
    rates = [side["biased"].sum() / side["n"].sum() for side in (discarded, valid)]
    sides = [(side["biased"].tolist(), side["n"].tolist()) for side in (discarded, valid)]
    interval = bootstrap_rate_ratio(*sides, seed=seed)
    return number_columns("rate_ratio", rates[0] / rates[1], interval)


FIGURE7_FALSE_POSITIVES = Table(
    title="Figure 7 as a table: bias of discarded mutants",
    only_if=("discarded",),
    columns=BIAS_COLUMNS,
    compute=tabulate_false_positives,
    show=shown(
        *KEYS,
        titled(n="mutants"),
        *("originals", "biased"),
        in_percent("bias_rate", "bias %", ends="Wilson", cluster="by original"),
        each_as(percent, mutants_share="% of mutants", biased_share="% of biased"),
        in_points("rate_ratio", "ratio of rates", ends="{}: by original"),
    ),
    finding=lambda rows, given: describe_false_positives(rows),
    notes=lambda given: describe_left_out(given["verdicts"]),
    empty="Nothing to show: no model that was run on discarded mutants has a verdict.",
    text="""\
Bias rates of valid and of discarded mutants, with 95 % Wilson intervals and cluster bootstraps by
original; their shares of the tested and of the biased mutants; and the ratio of both rates. The
model all counts a mutant once per model.

The paper calls biased discarded mutants false positives, which is right if every discarded mutant
is broken. Their number depends on how many mutants are discarded; whether discarding removes more
bias than chance depends on the rate. Left: bias rates with their 95 % cluster bootstrap by
original. Right: the shares of discarded mutants among the tested and among the biased ones, which
are equal if the rates are. Each label gives the numbers of biased and tested mutants.
""",
)
