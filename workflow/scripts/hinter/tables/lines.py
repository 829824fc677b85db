"""Lines of a table that are tested together, by their sums by original."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..statistics import (
    Numbers,
    cluster_bootstrap,
    divide,
    likely_bounds,
    q_values,
    sign_flip_tests,
)
from .columns import rate_columns, with_bootstrap

LINES = 100
"""The number of lines that are resampled at once, which bounds the memory."""

STEP = 100
"""Log-odds are summed in whole hundredths, so that no sum depends on the order."""


def spread_lines(
    sums: pd.DataFrame, keys: Sequence[str], columns: Sequence[str]
) -> Iterator[tuple[Numbers, ...]]:
    """Yield these columns as arrays of originals by lines, for up to `LINES` lines at once.

    `sums` has a row per line, identified by the `keys`, and `original_id`. Lines come in the order
    of their first row, originals in that of their ids; without a row, an original has 0 in a line.
    """
    numbers = sums.groupby(list(keys), sort=False).ngroup().to_numpy()
    originals, names = pd.factorize(sums["original_id"], sort=True)
    lines = int(numbers.max(initial=-1)) + 1
    for start in range(0, lines, LINES):
        inside = (numbers >= start) & (numbers < start + LINES)
        arrays = np.zeros((len(columns), len(names), min(LINES, lines - start)))
        arrays[:, originals[inside], numbers[inside] - start] = (
            sums.loc[inside, list(columns)].to_numpy(dtype=float).T
        )
        yield tuple(arrays)


def columns_of_lines(
    sums: pd.DataFrame,
    keys: Sequence[str],
    names: Sequence[str],
    columns: Callable[..., pd.DataFrame],
) -> pd.DataFrame:
    """Return the `columns` of each line, given its sums of these names, indexed by the `keys`.

    `columns` takes an array of originals by lines for each name (see `spread_lines`).
    """
    lines = sums.groupby(list(keys), sort=False).size().index
    tables = [columns(*arrays) for arrays in spread_lines(sums, keys, names)]
    return pd.concat([pd.DataFrame(), *tables]).set_index(lines)


def mean_columns(
    name: str, sums: Numbers, counts: Numbers, *, largest: float, seed: int, likely: bool = True
) -> pd.DataFrame:
    """Return the mean `name` of each line in log-odds, with its interval by original.

    `sums` are in hundredths; both arrays have the shape (originals, lines). The interval (`_low`,
    `_high`) is a cluster bootstrap, in which unseen originals move by up to the `largest` number of
    hundredths, or by a `likely` number (see `likely_bounds`). The mean is nan without counts, the
    interval for a single original.
    """
    bounds = -max(largest, 1), max(largest, 1)
    ends = [
        cluster_bootstrap(
            *line, seed=seed, bounds=likely_bounds(*line, bounds=bounds) if likely else bounds
        )
        for line in zip(sums.T, counts.T, strict=True)
    ]
    means = [divide(sums.sum(axis=0), counts.sum(axis=0)), *np.array(ends).T]
    columns = dict(zip(with_bootstrap(name, ""), means, strict=True))
    return (pd.DataFrame(columns) / STEP).round(6)


def tested_means(
    name: str, sums: Numbers, counts: Numbers, *, largest: float, seed: int
) -> pd.DataFrame:
    """Return `mean_columns` with the `mean_p_values` of each line as the column `p_value`."""
    columns = mean_columns(name, sums, counts, largest=largest, seed=seed)
    return columns.assign(p_value=mean_p_values(sums, counts, seed=seed))


def line_rates(name: str, successes: Numbers, trials: Numbers, *, seed: int) -> pd.DataFrame:
    """Return the columns of the rate `name` of each line (see `rate_columns`).

    Both arrays have the shape (originals, lines).
    """
    lines = zip(successes.T, trials.T, strict=True)
    return pd.DataFrame(rate_columns(name, *line, seed=seed) for line in lines)


def adjust_by_model(rows: pd.DataFrame, *prefixes: str) -> pd.DataFrame:
    """Return the rows with the q-values of their p-values, over all rows of each model.

    Each of the `prefixes` names a pair of columns `{prefix}p_value` and `{prefix}q_value`.
    """
    for _, of_model in rows.groupby("model"):
        for prefix in prefixes:
            adjusted = q_values(of_model[f"{prefix}p_value"].tolist())
            rows.loc[of_model.index, f"{prefix}q_value"] = adjusted.round(6)
    return rows


def rows_of_runs(runs: Iterable[tuple[Any, pd.DataFrame]], columns: Iterable[str]) -> pd.DataFrame:
    """Return these columns of the rows of each run, in one table.

    A run begins with its model and dataset.
    """
    tables = [rows.assign(model=model, dataset=dataset) for (model, dataset, *_), rows in runs]
    return pd.concat(tables or [pd.DataFrame()], ignore_index=True).reindex(columns=list(columns))


def mean_p_values(sums: Numbers, counts: Numbers, *, seed: int) -> Numbers:
    """Return the p-value of each line: the two-sided sign-flip test by original of a mean of 0.

    nan for a single original, or none.
    """
    testable = (counts > 0).sum(axis=0) >= 2
    return np.where(testable, sign_flip_tests(sums, seed=seed), np.nan).round(6)
