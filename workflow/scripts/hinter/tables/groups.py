"""How tables are grouped: by level, campaign and check with totals, and lines that are tested."""

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
    rows: pd.DataFrame,
    keys: Sequence[str],
    row: Callable[..., Mapping[str, Any]],
    *,
    columns: Iterable[str],
    **given: Any,
) -> pd.DataFrame:
    """Return a row per group: its keys, and the result of `row` for the group and `given`.

    Groups come in the order of their first row. The table has these `columns`.
    """
    groups = rows.groupby(list(keys), sort=False)
    filled = [
        {**dict(zip(keys, names, strict=True)), **row(group, **given)} for names, group in groups
    ]
    return pd.DataFrame(filled, columns=list(columns))


def row_per_check(
    sums: pd.DataFrame,
    keys: Sequence[str],
    row: Callable[..., Mapping[str, Any]],
    compare: Callable[..., Mapping[str, Any]],
    *,
    columns: Iterable[str],
    seed: int,
) -> pd.DataFrame:
    """Return a row per group and check, the last of the keys.

    `row` takes the sums of one check and those of both, `compare` those of both. The latter's
    columns are in the rows of discarded mutants.
    """
    rows = []
    for names, both in sums.groupby(list(keys[:-1]), sort=False):
        for check, part in both.groupby("check", sort=False):
            compared = compare(both, seed=seed) if check == "discarded" else {}
            named = dict(zip(keys, (*names, check), strict=True))
            rows.append({**named, **row(part, both, seed=seed), **compared})
    return pd.DataFrame(rows, columns=list(columns))


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
