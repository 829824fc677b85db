"""Counts and shares as named numbers, with those that the paper prints, and as text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from ..columns import with_share, with_wilson
from ..shown import NONE, percent
from ..table import Inputs, Table
from .counts import Published

KEYS = ["quantity", "model", "part"]
PRINTED = ["printed_count", "printed_of", "printed_percent"]
COLUMNS = {
    "quantity": "what is counted",
    "model": "name of the model, or all",
    "part": "dataset, level of the mutants or combination of attributes, or all",
    "count": "the number, from the published counts",
    "of": "the denominator of the share",
    **with_wilson("share", "count / of"),
    "exhibit": "where the paper prints it",
    "printed_count": "the number as printed",
    "printed_of": "the denominator as printed",
    "printed_percent": "the share as printed, in per cent",
    "agrees": "whether everything printed equals the number to the last digit; null if nothing "
    "is printed or the number cannot be derived",
}
"""The columns of `compared_with_printed`."""


def as_numbers(counts: pd.DataFrame, *, part: str, **quantities: tuple[str, ...]) -> pd.DataFrame:
    """Return columns of counts as numbers, by `quantities`: a column, and what it is a share of.

    The latter may be left out. Each number is keyed by quantity, model (`all` if the counts have no
    models) and part: the value of the column `part`.
    """
    none = pd.Series(pd.NA, counts.index)
    numbers = [
        pd.DataFrame(
            {
                "quantity": quantity,
                "model": counts.get("model", "all"),
                "part": counts[part],
                "count": counts[count].astype("Int64"),
                "of": (counts[of[0]] if of else none).astype("Int64"),
            }
        )
        for quantity, (count, *of) in quantities.items()
    ]
    return pd.concat(numbers)


def compared_with_printed(published: Published, *parts: pd.DataFrame) -> pd.DataFrame:
    """Return all numbers with their shares and with the numbers that the paper prints.

    Wilson's interval treats mutants as independent, as the published counts are not by original.
    """
    numbers, printed = pd.concat(parts, ignore_index=True), published.printed
    shares = numbers[numbers["of"].notna()]
    shares = with_share(shares.astype({"count": int, "of": int}), "share", part="count", whole="of")
    rows = numbers.join(shares[["share", "share_low", "share_high"]])
    renamed = printed.rename(columns={name.removeprefix("printed_"): name for name in PRINTED})
    rows = rows.merge(renamed, on=KEYS, how="left", validate="1:1")
    agrees = [_agrees(row) for row in rows.to_dict("records")]
    return rows.assign(agrees=pd.array(agrees, dtype="boolean"))


def show_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers formatted for people, without columns that have a single value."""
    shown = {
        **{key: rows[key] for key in KEYS if rows[key].nunique() > 1},
        "count": rows["count"].map(_count),
        "of": rows["of"].map(_count),
        "%": [_percent(row) for row in rows.to_dict("records")],
        "printed": [_quoted(*cells) for cells in rows[PRINTED].itertuples(index=False)],
        "printed in": rows["exhibit"].fillna(NONE),
        "agrees": rows["agrees"].map({True: "yes", False: "no"}).fillna(NONE),
    }
    return pd.DataFrame(shown)


def quote(printed: pd.DataFrame, quantity: str, *, model: str = "all", part: str = "all") -> str:
    """Return what the paper prints for a number, as text."""
    (row,) = printed[(printed[KEYS] == [quantity, model, part]).all(axis=1)].to_dict("records")
    return _quoted(row["count"], row["of"], row["percent"])


def describe_agreement(rows: pd.DataFrame) -> str:
    """Return a sentence on how many of the printed numbers are reproduced, and which are not."""
    compared = rows[rows["agrees"].notna()]
    failed = compared[~compared["agrees"].astype(bool)]
    if failed.empty:
        return f"The {len(compared)} numbers that the paper prints here are all reproduced."
    named = {_quoted(*cells) for cells in failed[PRINTED].itertuples(index=False)}
    return (
        f"Of the {len(compared)} numbers that the paper prints here, all but {len(failed)} "
        f"({', '.join(sorted(named))}) are reproduced."
    )


def _agrees(row: dict[Any, Any]) -> bool | None:
    if pd.isna(row["count"]):
        return None
    found = dict(
        zip(PRINTED, (_count(row["count"]), _count(row["of"]), _percent(row)), strict=True)
    )
    compared = [found[name] == row[name] for name in PRINTED if not pd.isna(row[name])]
    return all(compared) if compared else None


def _count(value: Any) -> str:
    return NONE if pd.isna(value) else f"{value:,}"


def _percent(row: dict[Any, Any]) -> str:
    """Return the share in percent, rounded once, from the counts."""
    whole = row["of"]
    return NONE if pd.isna(whole) or not whole else percent(row["count"] / whole)


def _quoted(count: Any, of: Any, share: Any) -> str:
    counts = " of ".join(text for text in (count, of) if not pd.isna(text))
    percentage = "" if pd.isna(share) else f"{share} %"
    return " = ".join(filter(None, (counts, percentage))) or NONE


@dataclass(frozen=True, kw_only=True)
class PublishedTable(Table):
    """A table of numbers from the published counts, with those that the paper prints."""

    columns: Mapping[str, str] = field(default_factory=COLUMNS.copy)
    show: Callable[[pd.DataFrame], pd.DataFrame] = show_numbers
    finding: Callable[[pd.DataFrame, Inputs], str] = lambda rows, given: describe_agreement(rows)


def look_up(numbers: pd.DataFrame) -> dict[str, Callable[..., Any]]:
    """Return functions of numbers (see `as_numbers`) by quantity, `model` and `part`.

    `count` returns a number, `of` the denominator of a share, `text` both and the share as text,
    `rate` only the share as text. `ratio` returns how many times as large one number is as another.
    """
    rows = numbers.set_index(KEYS)

    def cell(column: str, quantity: str, *, model: str = "all", part: str = "all") -> int:
        return int(rows[column][quantity, model, part])

    def text(quantity: str, **key: str) -> str:
        return share(cell("count", quantity, **key), cell("of", quantity, **key))

    def ratio(quantity: str, other: str) -> str:
        one, two = cell("count", quantity), cell("count", other)
        return f"{one:,} / {two:,} = {one / two:.2f}"

    def rate(quantity: str, **key: str) -> str:
        return text(quantity, **key).partition(" = ")[2]

    counted = {name: partial(cell, name) for name in ("count", "of")}
    return {**counted, "text": text, "rate": rate, "ratio": ratio}


def share(part: int, whole: int) -> str:
    """Return `part` of `whole`, with the percentage if there is one."""
    words = f"{part:,} of {whole:,}"
    return f"{words} = {percent(part / whole)} %" if whole else words
