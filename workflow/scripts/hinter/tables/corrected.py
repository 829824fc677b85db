"""What the bias rates of surviving mutants are, given judged ones (RQ3)."""

from math import nan
from typing import Any

import pandas as pd

from .correction import VERDICTS, corrected_rate, estimate, highest_rate, lowest_rate
from .groups import KIND
from .shares import rate_columns, rate_names
from .sources import Results, open_results
from .survivors import checked_by, judged_by_kind, survivor_sums, weighted_share
from .writing import percent, percent_intervals

QUERY = f"""
    SELECT model, dataset, {KIND} AS kind, original_id,
        count(*) FILTER (valid) AS valid,
        count(*) FILTER (valid AND biased) AS valid_biased,
        count(*) FILTER (NOT valid) AS discarded,
        count(*) FILTER (NOT valid AND biased) AS discarded_biased
    FROM verdicts
    WHERE drawn IS NULL AND biased IS NOT NULL AND visible_order = "order"
    GROUP BY ALL
    ORDER BY model, dataset, kind DESC, original_id
"""
KEYS = ["model", "dataset", "kind"]
COLUMNS = (
    *KEYS,
    *("n", "biased"),
    *rate_names("bias_rate"),
    *("discarded_n", "discarded_biased"),
    *("precision", "precision_low", "precision_high"),
    *("survivors_discarded", "survivors_discarded_low", "survivors_discarded_high"),
    *("lowest", "highest", "lowest_low", "highest_high"),
    *("corrected_rate", "corrected_rate_low", "corrected_rate_high"),
    *("surviving_biased", "surviving_biased_low", "surviving_biased_high"),
)


def tabulate_corrected_rates(
    verdicts: Results, judged: pd.DataFrame, *, comparator: str, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset and kind of mutant.

    Of `n` valid mutants with a verdict by the model, which sees all their pairs, `biased` are
    biased: `bias_rate` with its Wilson interval (`_low`, `_high`) and its cluster bootstrap by
    original (`_cluster_low`, `_cluster_high`). `discarded_n` and `discarded_biased` count discarded
    ones. `precision` and `survivors_discarded` are the shares that survive of the mutants `judged`
    (results/validity.parquet) of this kind that the study's `comparator` calls valid, and of those
    that it discards.

    The bias rate of the surviving valid mutants lies between `lowest` and `highest`, whichever of
    the valid ones survive; `lowest_low` and `highest_high` are the outer ends of the 95 % intervals
    of both. `corrected_rate` is the bias rate of all surviving mutants, valid and discarded, where
    inside both survival says nothing of bias; null where no discarded mutants were run.
    `surviving_biased` is how many of the `biased` ones survive on these terms; its interval is that
    of the precision, and there is none where nothing is biased. The others are bootstraps that
    resample originals of the verdicts and originals of the judged mutants apart. Mutants of sampled
    orders are left out.
    """
    counts = open_results(verdicts=verdicts).execute(QUERY).df()
    survivors = {
        kind: survivor_sums(checked_by(rows, comparator))
        for kind, rows in judged_by_kind(judged).items()
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
    shown["by original "] = percent_intervals(rows, "corrected_rate")
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
