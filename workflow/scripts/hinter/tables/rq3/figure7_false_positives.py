"""Figure 7 of the paper: biased mutants among valid and among discarded ones (RQ3)."""

import pandas as pd

from ...statistics import bootstrap_rate_ratio
from ..columns import number_columns, only_by_original, rate_columns, with_bootstrap, with_both
from ..groups import LEVEL, name_totals, row_per_check, split_checks
from ..shown import each_as, in_percent, in_points, percent, shown, titled
from ..table import Results, Table, query_results
from .sound import weighted_share
from .volume import describe_false_positives, describe_left_out

QUERY = f"""
    SELECT model, level, "check", cluster, count(*) AS n, count(*) FILTER (biased) AS biased
    FROM (
        SELECT model, biased, {LEVEL} AS level, concat(dataset, '/', original_id) AS cluster,
            CASE WHEN valid THEN 'valid' ELSE 'discarded' END AS "check"
        FROM seen_verdicts SEMI JOIN discarded_runs USING (model, dataset)
        WHERE sampled IS NULL
    )
    GROUP BY CUBE (model, level), "check", cluster
    ORDER BY model NULLS FIRST, level DESC NULLS FIRST, "check" DESC, cluster
"""
KEYS = ["model", "level", "check"]
COLUMNS = {
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
    sums = name_totals(query_results(QUERY, verdicts=verdicts), "model", "level")
    rows = row_per_check(sums, KEYS, _rate, _ratio, columns=COLUMNS, seed=seed)
    return only_by_original(rows, "bias_rate")


def _rate(counts: pd.DataFrame, both: pd.DataFrame, *, seed: int) -> dict[str, float]:
    """Return the counts and rate of the valid or discarded mutants, and their shares in `both`."""
    whole = both.groupby("cluster")["biased"].sum()
    part = counts.set_index("cluster")["biased"].reindex(whole.index, fill_value=0)
    return {
        "n": int(counts["n"].sum()),
        "originals": len(counts),
        "biased": int(counts["biased"].sum()),
        **rate_columns("bias_rate", counts["biased"], counts["n"], seed=seed),
        "mutants_share": round(counts["n"].sum() / both["n"].sum(), 6),
        **weighted_share("biased_share", part, whole, seed=seed),
    }


def _ratio(counts: pd.DataFrame, *, seed: int) -> dict[str, float]:
    """Return the bias rate of discarded mutants over that of valid ones, with its interval."""
    valid, discarded = split_checks(counts, ["biased", "n"])
    if not valid["biased"].sum():
        return {}
    rates = [side["biased"].sum() / side["n"].sum() for side in (discarded, valid)]
    sides = [(side["biased"].tolist(), side["n"].tolist()) for side in (discarded, valid)]
    interval = bootstrap_rate_ratio(*sides, seed=seed)
    return number_columns("rate_ratio", rates[0] / rates[1], interval)


TABLE = Table(
    title="Figure 7 as a table: bias of discarded mutants",
    reads=("verdicts",),
    settings=("seed",),
    only_if=("discarded",),
    warned=True,
    columns=COLUMNS,
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
    caption=(
        "Bias rates of valid and of discarded mutants, with 95 % Wilson intervals and cluster "
        "bootstraps by original; their shares of the tested and of the biased mutants; and the "
        "ratio of both rates. The model all counts a mutant once per model."
    ),
    empty="Nothing to show: no model that was run on discarded mutants has a verdict.",
    about="""\
The paper calls biased discarded mutants false positives, which is right if every discarded mutant
is broken. Their number depends on how many mutants are discarded; whether discarding removes more
bias than chance depends on the rate. Left: bias rates with their 95 % cluster bootstrap by
original. Right: the shares of discarded mutants among the tested and among the biased ones, which
are equal if the rates are. Each label gives the numbers of biased and tested mutants.
""",
)
