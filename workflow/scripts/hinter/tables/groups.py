"""How tables are grouped: by level, campaign and check, with totals, rates, means and tests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
from .columns import rate_columns, share_columns, with_bootstrap

LEVEL = """CASE WHEN "order" = 1 THEN 'atomic' ELSE 'intersectional' END"""
"""The level of a mutant by its order."""


CAMPAIGNS = ["first", "second", "intersectional"]
"""The campaigns: atomic mutants of the first and of the second attribute, and mutants of both."""

FEWEST_MENTIONS = 10
"""With fewer mentions, a group is not tested, and a cell of two groups is left out."""

SURE = 0.05
"""Up to this q-value, a contrast is reported as a finding."""

BY_REASON = """
    sum(mutants)::BIGINT AS mutants,
    coalesce(sum(mutants) FILTER (reason IS NULL), 0)::BIGINT AS valid,
    coalesce(sum(mutants) FILTER (reason = 'sentence_count'), 0)::BIGINT AS sentence_count,
    coalesce(sum(mutants) FILTER (reason = 'pos'), 0)::BIGINT AS pos,
    coalesce(sum(mutants) FILTER (reason = 'dep'), 0)::BIGINT AS dep,
    coalesce(sum(mutants) FILTER (reason = 'unchecked'), 0)::BIGINT AS unchecked
"""
"""The columns of mutants by the invariant's check, over rows of counts."""


def name_totals(rows: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return the rows with `all` instead of the nulls that mark totals in `columns`.

    A total over a single dataset would repeat it, and is left out.
    """
    if "dataset" in columns and rows["dataset"].nunique() == 1:
        rows = rows[rows["dataset"].notna()]
    return rows.fillna(dict.fromkeys(columns, "all"))


def row_per_group(
    rows: pd.DataFrame, keys: Sequence[str], row: Callable[..., Mapping[str, Any]], **given: Any
) -> pd.DataFrame:
    """Return a row per group, indexed by its keys: the result of `row` for the group and `given`.

    Groups come in the order of their first row.
    """
    groups = rows.groupby(list(keys), sort=False)
    return pd.DataFrame([row(group, **given) for _, group in groups], groups.size().index)


def in_columns(rows: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """Return these columns of rows that are indexed by their keys; without rows, without types."""
    table = rows.reset_index().reindex(columns=list(columns))
    return table if len(table) else table.astype(object)


Ratios = Mapping[str, tuple[str, str]]
"""The columns of ratios, and for each the two counts that it is computed from."""


def rates_by(
    counts: pd.DataFrame, keys: Sequence[str], rates: Ratios, *, seed: int
) -> pd.DataFrame:
    """Return a row per group, indexed by its keys: the sums of its counts, and its `rates`.

    `counts` has a row per group and original; `originals` is the number of these rows. Rates have
    both intervals (see `rate_columns`), but those of the model `all` only that by original: there a
    mutant counts once per model, so trials are not independent.
    """
    rows = _ratios_by(counts, keys, rates, rate_columns, seed=seed)
    if "model" in keys and len(rows):
        of_all = rows.index.get_level_values("model") == "all"
        rows.loc[of_all, [f"{name}_{end}" for name in rates for end in ("low", "high")]] = np.nan
    return rows


def shares_by(
    sums: pd.DataFrame, keys: Sequence[str], shares: Ratios, *, seed: int
) -> pd.DataFrame:
    """Return the same for shares that only have an interval by original (see `share_columns`)."""
    return _ratios_by(sums, keys, shares, share_columns, seed=seed)


def _ratios_by(
    sums: pd.DataFrame,
    keys: Sequence[str],
    ratios: Ratios,
    columns: Callable[..., Mapping[str, float]],
    *,
    seed: int,
) -> pd.DataFrame:
    def row(group: pd.DataFrame) -> dict[str, float]:
        return {
            key: number
            for name, (part, whole) in ratios.items()
            for key, number in columns(name, group[part], group[whole], seed=seed).items()
        }

    groups = sums.groupby(list(keys), sort=False)
    rows = groups.sum(numeric_only=True).assign(originals=groups.size())
    return rows.join(row_per_group(sums, keys, row))


def split_checks(sums: pd.DataFrame, columns: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return these columns of valid and of discarded mutants, each with a row per cluster.

    `sums` has a row per cluster and check; a cluster without mutants of a check has 0.
    """
    clusters = sums["cluster"].sort_values().unique()
    by_cluster = sums.set_index("cluster")
    valid, discarded = (
        by_cluster.loc[by_cluster["check"] == check, list(columns)].reindex(clusters, fill_value=0)
        for check in ("valid", "discarded")
    )
    return valid, discarded


def are_clear(rows: pd.DataFrame, name: str, q_value: str) -> pd.Series:
    """Return which findings on a column are significant, and have an interval without 0.

    With few mentions, the permutation test and the interval, which have different assumptions, may
    disagree.
    """
    return (rows[q_value] <= SURE) & (rows[f"{name}_low"] * rows[f"{name}_high"] > 0)


LINES = 100
"""The number of lines that are resampled at once, which bounds the memory."""

STEP = 100
"""Log-odds are summed in whole hundredths, so that no sum depends on the order."""


def means_by(
    sums: pd.DataFrame,
    keys: Sequence[str],
    of: tuple[str, str],
    *,
    name: str,
    largest: float,
    seed: int,
    likely: bool = True,
) -> pd.DataFrame:
    """Return the mean `name` of each line in log-odds, with its interval, indexed by its keys.

    `of` names the columns of its sums by original, in hundredths, and of its counts. The interval
    (`_low`, `_high`) is a cluster bootstrap by original, in which unseen originals move by up to
    the `largest` number of hundredths, or by a `likely` number (see `likely_bounds`). The mean is
    nan without counts, the interval for a single original.
    """
    bounds = -max(largest, 1), max(largest, 1)

    def row(line: pd.DataFrame) -> dict[str, float]:
        parts, counts = (line[column].tolist() for column in of)
        around = likely_bounds(parts, counts, bounds=bounds) if likely else bounds
        interval = cluster_bootstrap(parts, counts, seed=seed, bounds=around)
        numbers = np.array([divide(np.sum(parts), np.sum(counts)), *interval]) / STEP
        return dict(zip(with_bootstrap(name, ""), numbers.round(6).tolist(), strict=True))

    return row_per_group(sums, keys, row)


def p_values_by(
    sums: pd.DataFrame, keys: Sequence[str], of: tuple[str, str], *, seed: int
) -> "pd.Series[float]":
    """Return the p-value of each line, indexed by its keys (see `mean_p_values`).

    `of` names the columns of its sums by original and of its counts. All lines are tested over the
    same originals, in the order of their ids; one without a row in a line has 0 there.
    """
    lines = sums.groupby(list(keys), sort=False)
    numbers, size = lines.ngroup().to_numpy(), lines.size()
    originals, names = pd.factorize(sums["original_id"], sort=True)
    p_values = []
    for start in range(0, len(size), LINES):
        inside = (numbers >= start) & (numbers < start + LINES)
        arrays = np.zeros((len(of), len(names), min(LINES, len(size) - start)))
        arrays[:, originals[inside], numbers[inside] - start] = (
            sums.loc[inside, list(of)].to_numpy(dtype=float).T
        )
        p_values += mean_p_values(*arrays, seed=seed).tolist()
    return pd.Series(p_values, size.index, dtype=float, name="p_value")


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
