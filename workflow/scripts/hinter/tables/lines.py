"""Lines of a table that are tested together, by their sums by original."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from .columns import with_bootstrap

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


def row_per_line(
    sums: pd.DataFrame,
    keys: Sequence[str],
    row: Callable[..., Mapping[str, float]],
    /,
    *,
    seed: int,
    tested: tuple[str, str] | None = None,
    **given: Any,
) -> pd.DataFrame:
    """Return a row per line, indexed by the `keys`: the result of `row` for its sums by original.

    Lines come in the order of their first row. If sums and counts are `tested`, given by the names
    of their columns, `p_value` has the p-value of each line (see `mean_p_values`).
    """
    lines = sums.groupby(list(keys), sort=False)
    rows = [row(line, seed=seed, **given) for _, line in lines]
    table = pd.DataFrame(rows, index=lines.size().index)
    if tested is None:
        return table
    parts = (mean_p_values(*each, seed=seed) for each in spread_lines(sums, keys, tested))
    return table.assign(p_value=np.concatenate([[], *parts]))


def mean_columns(
    line: pd.DataFrame,
    *,
    name: str,
    of: tuple[str, str],
    largest: float,
    seed: int,
    likely: bool = True,
) -> dict[str, float]:
    """Return the mean `name` of a line in log-odds, with its interval by original.

    `of` names the columns of its sums, in hundredths, and of its counts. The interval (`_low`,
    `_high`) is a cluster bootstrap, in which unseen originals move by up to the `largest` number of
    hundredths, or by a `likely` number (see `likely_bounds`). The mean is nan without counts, the
    interval for a single original.
    """
    sums, counts = (line[column].tolist() for column in of)
    bounds = -max(largest, 1), max(largest, 1)
    if likely:
        bounds = likely_bounds(sums, counts, bounds=bounds)
    interval = cluster_bootstrap(sums, counts, seed=seed, bounds=bounds)
    numbers = np.array([divide(np.sum(sums), np.sum(counts)), *interval]) / STEP
    return dict(zip(with_bootstrap(name, ""), numbers.round(6).tolist(), strict=True))


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
