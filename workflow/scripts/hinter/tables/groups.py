"""How tables are grouped: by level of mutants, campaign and check, with totals."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

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
