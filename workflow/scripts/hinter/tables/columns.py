"""Columns of shares and rates with their intervals, and the meanings of these columns."""

from math import nan

import pandas as pd

from ..statistics import Interval, cluster_bootstrap, wilson_interval

RUN = {"model": "name of the model", "dataset": "name of the dataset"}
"""The columns with the names of a model and of the dataset that it was run on."""

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
    name: str, successes: "pd.Series[int]", trials: "pd.Series[int]", *, seed: int
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


def share_columns(
    name: str, parts: "pd.Series[float]", wholes: "pd.Series[float]", *, seed: int
) -> dict[str, float]:
    """Return the columns of a share, given its weighted sums by original.

    It comes with its 95 % cluster bootstrap by original (`_low`, `_high`); all are nan if the sum
    of `wholes` is 0.
    """
    total = wholes.sum()
    interval = cluster_bootstrap(parts.tolist(), wholes.tolist(), seed=seed)
    return number_columns(name, parts.sum() / total if total else nan, interval)


def number_columns(name: str, number: float, interval: Interval) -> dict[str, float]:
    """Return the columns of a number `name`: it and its interval (`_low`, `_high`), rounded."""
    names = with_bootstrap(name, "")
    return {key: round(float(end), 6) for key, end in zip(names, (number, *interval), strict=True)}
