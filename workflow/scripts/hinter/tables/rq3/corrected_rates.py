"""What the bias rates of surviving mutants are, given judged ones (RQ3)."""

from math import nan
from typing import Any

import pandas as pd

from ...validity import DATASET
from ..columns import with_bootstrap, with_both
from ..groups import KIND
from ..shares import rate_columns
from ..sources import Results, open_results
from ..table import Given, Table
from ..writing import percent, percent_intervals
from .correction import VERDICTS, corrected_rate, estimate, highest_rate, lowest_rate
from .survivors import checked_by, judged_by_kind, survivor_sums, weighted_share

QUERY = f"""
    SELECT model, dataset, {KIND} AS kind, original_id,
        count(*) FILTER (valid) AS valid,
        count(*) FILTER (valid AND biased) AS valid_biased,
        count(*) FILTER (NOT valid) AS discarded,
        count(*) FILTER (NOT valid AND biased) AS discarded_biased
    FROM seen_verdicts WHERE drawn IS NULL
    GROUP BY ALL
    ORDER BY model, dataset, kind DESC, original_id
"""
KEYS = ["model", "dataset", "kind"]
COLUMNS = {
    "model": "name of the model",
    "dataset": "name of the dataset",
    "kind": "kind of mutant: intersectional or atomic",
    "n": "valid mutants with a verdict by the model, which sees all their pairs",
    "biased": "biased ones of n",
    **with_both("bias_rate", "biased / n"),
    "discarded_n": "discarded mutants with such a verdict",
    "discarded_biased": "biased ones of these",
    **with_bootstrap("precision", "share of the judged valid mutants of this kind that survives"),
    **with_bootstrap("survivors_discarded", "share of the judged discarded ones that survives"),
    "lowest": "least bias rate of the surviving valid mutants, whichever of them survive",
    "highest": "greatest bias rate of the surviving valid mutants",
    "lowest_low": "lower end of the 95 % interval of lowest",
    "highest_high": "upper end of the 95 % interval of highest",
    **with_bootstrap(
        "corrected_rate",
        "bias rate of all surviving mutants, valid and discarded, where inside both survival says "
        "nothing of bias; null where no discarded mutants were run",
    ),
    **with_bootstrap(
        "surviving_biased",
        "how many of the biased ones survive on these terms; its interval is that of precision",
    ),
}


def tabulate_corrected_rates(
    verdicts: Results, validity: pd.DataFrame, *, comparator: str, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset and kind of mutant.

    Which judged mutants (results/validity.parquet) are valid is what the study's `comparator` says.
    Intervals of bounds and of the corrected rate are bootstraps that resample originals of the
    verdicts and originals of the judged mutants apart. Mutants of sampled orders are left out.
    """
    counts = open_results(verdicts=verdicts).execute(QUERY).df()
    survivors = {
        kind: survivor_sums(checked_by(rows, comparator))
        for kind, rows in judged_by_kind(validity).items()
    }
    rows = [
        dict(zip(KEYS, names, strict=True))
        | _row(group, survivors.get(names[-1], survivors["all"].iloc[:0]), seed=seed)
        for names, group in counts.groupby(KEYS, sort=False)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def show_corrected_rates(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: percentages, and intervals by original."""
    shown: dict[str, Any] = {name: rows[name] for name in (*KEYS, "n", "biased")}
    bounds = rows.rename(
        columns={
            "lowest": "bounds_low",
            "highest": "bounds_high",
            "lowest_low": "ends_low",
            "highest_high": "ends_high",
        }
    )
    shown["bias %"] = rows["bias_rate"].map(percent)
    shown["by original"] = percent_intervals(rows, "bias_rate_cluster")
    shown["surviving %"] = rows["precision"].map(percent)
    shown["bias % of surviving"] = percent_intervals(bounds, "bounds")
    shown["with error"] = percent_intervals(bounds, "ends")
    shown["corrected bias %"] = rows["corrected_rate"].map(percent)
    shown["corrected bias %: by original"] = percent_intervals(rows, "corrected_rate")
    names = ["surviving_biased", "surviving_biased_low", "surviving_biased_high"]
    shown["biased and surviving"] = [_estimated(*row) for row in rows[names].values.tolist()]
    return pd.DataFrame(shown)


def _estimated(number: float, low: float, high: float) -> str:
    if pd.isna(number):
        return "-"
    return f"{number:.1f}" if pd.isna(low) else f"{number:.1f} [{low:.1f}, {high:.1f}]"


def _row(counts: pd.DataFrame, survivors: pd.DataFrame, *, seed: int) -> dict[str, float]:
    (biased, n), (discarded_biased, discarded) = (
        counts[[part, whole]].sum().tolist() for part, whole in VERDICTS
    )
    shares = {
        name: weighted_share(name, survivors[part], survivors[whole], seed=seed)
        for name, part, whole in (
            ("precision", "valid_survives", "valid"),
            ("survivors_discarded", "discarded_survives", "discarded"),
        )
    }
    surviving = {
        name.replace("precision", "surviving_biased"): round(biased * share, 6)
        for name, share in shares["precision"].items()
        if biased or name == "precision"
    }
    return {
        "n": n,
        "biased": biased,
        **rate_columns("bias_rate", counts["valid_biased"], counts["valid"], seed=seed),
        "discarded_n": discarded,
        "discarded_biased": discarded_biased,
        **shares["precision"],
        **shares["survivors_discarded"],
        **_rates(counts, survivors, seed=seed),
        **surviving,
    }


def _rates(counts: pd.DataFrame, survivors: pd.DataFrame, *, seed: int) -> dict[str, float]:
    """Return the bounds and the corrected rate."""
    lowest, lowest_low, _ = estimate(lowest_rate, verdicts=counts, judged=survivors, seed=seed)
    highest, _, highest_high = estimate(highest_rate, verdicts=counts, judged=survivors, seed=seed)
    rate, low, high = (
        estimate(corrected_rate, verdicts=counts, judged=survivors, seed=seed)
        if counts["discarded"].any()
        else (nan, nan, nan)
    )
    numbers = {
        "lowest": lowest,
        "highest": highest,
        "lowest_low": lowest_low,
        "highest_high": highest_high,
        "corrected_rate": rate,
        "corrected_rate_low": low,
        "corrected_rate_high": high,
    }
    return {name: round(number, 6) for name, number in numbers.items()}


def _finding(rows: pd.DataFrame, given: Given) -> str:
    others = sorted(set(rows["dataset"]) - {DATASET})
    judged = "The judged mutants are of movie reviews"
    return (
        f"{judged}; for {', '.join(others)} the shares are carried over."
        if others
        else f"{judged}."
    )


TABLE = Table(
    question="RQ3",
    title="Bias rates of surviving mutants",
    reads=("verdicts", "validity"),
    settings=("invariant.comparator", "seed"),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_corrected_rates,
    show=show_corrected_rates,
    finding=_finding,
    caption=(
        "Bias rates of the mutants valid by the comparator {comparator}, and what they say of "
        "those whose grammar and meaning survive. The share of surviving mutants comes from "
        "judged mutants of the same kind, read by a large language model, not by people. The bias "
        "rate of surviving valid mutants lies between the bounds, whichever of them survive; "
        "these are also given with sampling error. The corrected rate is that of all surviving "
        "mutants, valid and discarded, and biased and surviving the number of biased valid "
        "mutants that survive: both hold where, among valid and among discarded mutants, survival "
        "says nothing of bias. Intervals are 95 %, by bootstraps over originals."
    ),
    empty="Nothing to show: no mutant has a verdict of a model that sees all its pairs.",
    about="""\
What the bias rates say of the mutants that survive, that is of those whose grammar and meaning are
sound by the judged mutants. Which of the mutants that a model was run on survive is not known,
only how many of their kind do. Without any further assumption the bias rate of the surviving valid
mutants lies between the bounds. *corrected* is the bias rate of all surviving mutants, also of
those that were wrongly discarded, where survival says nothing of bias inside either; whether it
does is not known. The judged mutants are of movie reviews and were read by a large language model,
not by people (docs/validity.md).
""",
)
