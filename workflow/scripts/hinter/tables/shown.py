"""Columns of a table formatted for people: their titles, and their numbers as text."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

NONE = "-"
"""The text for a missing number."""

Columns = Callable[[pd.DataFrame], Mapping[str, Any]]
"""A function from the rows of a table to formatted columns by title."""


def shown(*columns: str | Columns) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """Return a function that formats these columns in order; a name is an unchanged column."""
    return lambda rows: pd.DataFrame(_joined(columns, rows))


def where_known(name: str, *columns: str | Columns) -> Columns:
    """Return these columns if the column `name` has any value, and otherwise none."""
    return lambda rows: _joined(columns, rows) if rows[name].notna().any() else {}


def titled(**titles: str) -> Columns:
    """Return unchanged columns with new titles, given by the columns' names."""
    return lambda rows: {title: rows[name] for name, title in titles.items()}


def each_as(form: Callable[[Any], str] | Mapping[Any, str], **titles: str) -> Columns:
    """Return columns with new titles, given by the columns' names, and each value in a `form`."""
    return lambda rows: {title: rows[name].map(form) for name, title in titles.items()}


def in_percent(name: str, title: str, *, ends: str = "", cluster: str = "") -> Columns:
    """Return a share in per cent, with its intervals if these have titles.

    `ends` is the title of its own interval, `cluster` that of the interval by cluster
    (`{name}_cluster`); {} in them stands for the title of the share.
    """
    titles = {ends.format(title): name, cluster.format(title): f"{name}_cluster"}
    named = {title: name for title, name in titles.items() if title}
    return lambda rows: {
        title: rows[name].map(percent),
        **{title: percent_intervals(rows, name) for title, name in named.items()},
    }


def in_points(name: str, title: str, *, ends: str) -> Columns:
    """Return a number with two decimals and its interval; {} in `ends` stands for the title."""
    return lambda rows: show_points(rows, name, title=title, ends=ends, scale=1)


def difference_of(name: str, title: str, *, ends: str = "{}: by original") -> Columns:
    """Return a difference of proportions in percentage points, with its interval."""
    return lambda rows: show_points(rows, name, title=title, ends=ends)


def p_and_q(title: str = "{}", *, prefix: str = "") -> Columns:
    """Return a p-value and its q-value, named with a prefix; {} in the title stands for p or q."""
    return each_as(four_decimals, **{f"{prefix}{name}_value": title.format(name) for name in "pq"})


def _joined(columns: tuple[str | Columns, ...], rows: pd.DataFrame) -> dict[str, Any]:
    joined: dict[str, Any] = {}
    for column in columns:
        joined |= {column: rows[column]} if isinstance(column, str) else column(rows)
    return joined


def percent(value: float) -> str:
    """Return a proportion as a percentage with two decimals; `-` for none."""
    return NONE if pd.isna(value) else f"{100 * value:.2f}"


def percent_intervals(data: pd.DataFrame, name: str) -> list[str]:
    """Return the intervals of the column `name` as percentages; `-` for none."""
    return _intervals(data, name, scale=100, decimals=1)


def whole(value: float) -> str:
    """Return a whole number as text; `-` for none."""
    return NONE if pd.isna(value) else f"{value:.0f}"


def points(value: float) -> str:
    """Return a number with two decimals; `-` for none."""
    return NONE if pd.isna(value) else f"{value:z.2f}"


def four_decimals(value: float) -> str:
    """Return a small number, such as a p-value, with four decimals; `-` for none."""
    return NONE if pd.isna(value) else f"{value:.4f}"


def point_intervals(data: pd.DataFrame, name: str) -> list[str]:
    """Return the intervals of the column `name` with two decimals; `-` for none."""
    return _intervals(data, name, scale=1, decimals=2)


def show_points(
    data: pd.DataFrame, name: str, *, title: str, ends: str = "{}: by original", scale: int = 100
) -> dict[str, Any]:
    """Return the columns of a number and its interval with two decimals, times the `scale`.

    By default, it is a difference of proportions in percentage points.
    """
    return {
        title: (data[name] * scale).map(points),
        ends.format(title): _intervals(data, name, scale=scale, decimals=2),
    }


def _intervals(data: pd.DataFrame, name: str, *, scale: int, decimals: int) -> list[str]:
    bounds = zip(data[f"{name}_low"], data[f"{name}_high"], strict=True)
    return [
        NONE if pd.isna(low) else f"[{scale * low:z.{decimals}f}, {scale * high:z.{decimals}f}]"
        for low, high in bounds
    ]
