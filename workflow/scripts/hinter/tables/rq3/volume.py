"""Sentences on the number and bias rate of discarded mutants, and on models that ran none."""

from collections.abc import Mapping
from math import isnan
from typing import Any

import pandas as pd

from ..shown import percent, percent_intervals, point_intervals, points
from ..table import Results, open_results

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
        f"that of valid mutants {of_valid}{_ratio(row, ratio_interval)}. The {row['biased']} "
        "biased discarded mutants are would-be false positives if every discarded mutant is "
        "broken, which these numbers do not show."
    )


def _ratio(row: Mapping[Any, Any], interval: str) -> str:
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
