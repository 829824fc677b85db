"""Columns of shares and rates with their intervals, and the meanings of these columns."""

from collections.abc import Iterable, Mapping
from math import nan

import pandas as pd

from ..statistics import Interval, Numbers, cluster_bootstrap, wilson_interval

RUN = {"model": "name of the model", "dataset": "name of the dataset"}
"""The columns with the names of a model and of the dataset that it was run on."""

BIAS_COUNTS = ("n", "biased", "complete", "hidden")
BIAS_RATES = {
    "bias_rate": ("biased", "n"),
    "hidden_rate": ("hidden", "biased"),
    "hidden_rate_complete": ("hidden", "complete"),
}
"""The rates of bias, and the counts that each is computed from."""
WILSON = "95 % Wilson interval"
BOOTSTRAP = "95 % cluster bootstrap by original"


def with_wilson(name: str, meaning: str) -> dict[str, str]:
    """Return the columns of a share with its Wilson interval (`_low`, `_high`)."""
    return {name: meaning, **_ends(name, WILSON)}


def with_bootstrap(name: str, meaning: str) -> dict[str, str]:
    """Return the columns of a number with its cluster bootstrap by original (`_low`, `_high`)."""
    return {name: meaning, **_ends(name, BOOTSTRAP)}


def with_both(name: str, meaning: str) -> dict[str, str]:
    """Return the columns of a rate with both its intervals, like `rate_columns`.

    These are Wilson's (`_low`, `_high`) and the cluster bootstrap by original (`_cluster_low`,
    `_cluster_high`).
    """
    return {**with_wilson(name, meaning), **_ends(f"{name}_cluster", BOOTSTRAP)}


def _ends(name: str, interval: str) -> dict[str, str]:
    return {
        f"{name}_low": f"lower end of its {interval}",
        f"{name}_high": f"upper end of its {interval}",
    }


def with_share(rows: pd.DataFrame, name: str, *, part: str, whole: str) -> pd.DataFrame:
    """Return the rows with the share of the column `part` in the column `whole`.

    The column is called `name`, and its Wilson interval `_low` and `_high`.
    """
    numbers = zip(rows[part].tolist(), rows[whole].tolist(), strict=True)
    intervals = [wilson_interval(successes, n) for successes, n in numbers]
    columns = {
        name: (rows[part] / rows[whole]).round(6),
        f"{name}_low": [round(low, 6) for low, _ in intervals],
        f"{name}_high": [round(high, 6) for _, high in intervals],
    }
    return pd.concat([rows, pd.DataFrame(columns, index=rows.index)], axis=1)


def proportion_columns(name: str, successes: int, n: int) -> dict[str, float]:
    """Return the columns of a proportion `name`: it and its Wilson interval (`_low`, `_high`)."""
    return number_columns(name, successes / n if n else nan, wilson_interval(successes, n))


def rate_columns(
    name: str,
    successes: "pd.Series[int] | Numbers",
    trials: "pd.Series[int] | Numbers",
    *,
    seed: int,
) -> dict[str, float]:
    """Return the columns of a rate, given its counts by original, which may be 0.

    These are the rate `name`, its Wilson interval (`_low`, `_high`) and its cluster bootstrap by
    original (`_cluster_low`, `_cluster_high`); nan without any trial.
    """
    low, high = cluster_bootstrap(successes.tolist(), trials.tolist(), seed=seed)
    proportion = proportion_columns(name, int(successes.sum()), int(trials.sum()))
    return proportion | {
        f"{name}_cluster_low": round(low, 6),
        f"{name}_cluster_high": round(high, 6),
    }


def only_by_original(rows: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Return the rows without the Wilson intervals of these rates for the model `all`.

    There a mutant counts once per model, so trials are not independent.
    """
    ends = [f"{name}{end}" for name in names for end in ("_low", "_high")]
    return rows.assign(**{end: rows[end].where(rows["model"] != "all") for end in ends})


def tally(
    counts: pd.DataFrame, *, sums: Iterable[str], rates: Mapping[str, tuple[str, str]], seed: int
) -> dict[str, float]:
    """Return the `sums` of these counts by original, and the columns of the `rates`.

    For each rate, `rates` names the two counts that it is computed from (see `rate_columns`).
    """
    totals: dict[str, float] = {name: int(counts[name].sum()) for name in sums}
    for rate, (part, whole) in rates.items():
        totals |= rate_columns(rate, counts[part], counts[whole], seed=seed)
    return totals


def bias_columns(counts: pd.DataFrame, *, seed: int) -> dict[str, float]:
    """Return counts and rates of bias and hidden bias, given the counts of each original.

    These are `n`, `biased`, `complete` and `hidden`; `originals` are those with any of n.
    """
    totals = tally(counts, sums=BIAS_COUNTS, rates=BIAS_RATES, seed=seed)
    return totals | {"originals": int((counts["n"] > 0).sum())}


def number_columns(name: str, number: float, interval: Interval) -> dict[str, float]:
    """Return the columns of a number `name`: it and its interval (`_low`, `_high`), rounded."""
    names = with_bootstrap(name, "")
    return {key: round(float(end), 6) for key, end in zip(names, (number, *interval), strict=True)}
