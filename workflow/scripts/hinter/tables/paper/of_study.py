"""The study's own numbers that have a counterpart in the paper, from its tables."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import nan
from typing import Any

import pandas as pd

from ..groups import CAMPAIGNS
from ..published.counts import ALL

Number = dict[str, Any]
"""A number with its interval: quantity, level, combination, model, dataset, part (the level or
combination by which the paper groups it, None for datasets), ours, ours_low, ours_high."""
Tables = dict[str, pd.DataFrame | None]
"""The study's tables by name; None for one that it does not make."""

GRAMMAR = {
    "grammar_of_originals": "score_originals",
    "grammar_of_mutants": "score_mutants",
    "change_of_grammar": "difference",
}
OF_DISCARDED = {
    "grammar_of_originals_of_discarded": "score_originals",
    "grammar_of_discarded": "score_mutants",
    "change_of_grammar_of_discarded": "difference",
}
# The paper's hidden rate is also a share of the biased mutants with a verdict on each sub-mutant.
RATES = {"bias_rate": "bias_rate", "hidden_rate": "hidden_rate_complete"}


def study_numbers(tables: Tables) -> list[Number]:
    """Return the numbers in the order of the paper's tables and figures."""
    made = {name: rows for name, rows in tables.items() if rows is not None}
    readers: dict[str, Callable[[pd.DataFrame], Iterator[Number]]] = {
        "table2_totals": partial(_numbers, RATES, end="_cluster", part=None),
        "figure4_biased_originals": partial(_numbers, {"biased_originals": "share"}),
        "figure5_grammar": _grammar,
        "figure6_validity": partial(_by_level, {"valid_share": "valid_share"}),
        "figure7_false_positives": _by_check,
        "figure8_discarded": lambda table: _by_level(
            OF_DISCARDED, table[table["check"] == "discarded"]
        ),
        "figure9_truth_table": _hidden,
        "figure9_atomic_mutants": _shared,
        "figure10_exposure": _regions,
    }
    numbers = [
        number for name, read in readers.items() if name in made for number in read(made[name])
    ]
    return [*numbers, *_times(made)]


def _numbers(
    columns: Mapping[str, str], table: pd.DataFrame, *, part: str | None = ALL, end: str = ""
) -> Iterator[Number]:
    """Yield the numbers of all rows in some `columns`, which are given by quantity.

    The paper groups them by the column `part`, if the table has one of this name.
    """
    for row in table.to_dict("records"):
        for quantity, column in columns.items():
            yield _number(row, quantity, column, part=row.get(part, part), end=end)


def _by_level(columns: Mapping[str, str], table: pd.DataFrame) -> Iterator[Number]:
    """Yield the same for the totals over all datasets, or the only one; they come first."""
    rows = table[table["dataset"].isin(table["dataset"].head(1))]
    return _numbers(columns, rows, part="level")


def _grammar(table: pd.DataFrame) -> Iterator[Number]:
    rows = table[table["model"] == ALL]
    for (_, outcome), group in rows.groupby(["level", "outcome"], sort=False):
        judged = {f"grammar_of_{outcome}": "score_mutants"}
        yield from _by_level(GRAMMAR if outcome == ALL else judged, group)


def _by_check(table: pd.DataFrame) -> Iterator[Number]:
    valid = table[table["check"] == "valid"].set_index(["model", "level"])["biased"]
    for row in table.to_dict("records"):
        part = row["level"]
        yield _number(row, f"{row['check']}_bias_rate", "bias_rate", end="_cluster", part=part)
        if row["check"] == "discarded":
            share = _number(row, "discarded_of_biased", "biased_share", part=part)
            yield share
            biased = valid.get((row["model"], row["level"]), 0)
            times = round(row["biased"] / biased, 6) if biased else nan
            yield share | _odds(share) | {"quantity": "discarded_biased_times", "ours": times}


def _hidden(table: pd.DataFrame) -> Iterator[Number]:
    only = _without_atomic(table)
    margins = only[only["combination"].eq(ALL) | only["model"].eq(ALL)]
    columns = {"intersectional_only": "share"}
    return _numbers(columns, margins, part="combination", end="_cluster")


def _shared(table: pd.DataFrame) -> Iterator[Number]:
    total = _total(table).assign(level="atomic")
    return _numbers({"atomic_shared": "shared_share"}, total, end="_cluster")


def _regions(table: pd.DataFrame) -> Iterator[Number]:
    rows = table[
        table["model"].eq(ALL) & table["combination"].ne(ALL) & table[CAMPAIGNS].any(axis=1)
    ]
    for row in rows.to_dict("records"):
        combination = _papers_order(row["combination"])
        if combination != row["combination"]:
            row["first"], row["second"] = row["second"], row["first"]
        region = "+".join(name for name in CAMPAIGNS if row[name])
        yield _number(row | {"level": ALL}, f"exposed by {region}", "share", part=combination)


def _times(made: dict[str, pd.DataFrame]) -> Iterator[Number]:
    """Yield how many mutants only intersectional tests find for each that only atomic ones do."""
    if not {"figure9_truth_table", "figure9_atomic_mutants"} <= made.keys():
        return
    mutants = int(_total(_without_atomic(made["figure9_truth_table"]))["mutants"].sum())
    strict = int(_total(made["figure9_atomic_mutants"])["strict"].sum())
    if strict:
        row = {"level": ALL, "ours": round(mutants / strict, 6)}
        yield _number(row, "intersectional_only_times", "ours")


def _number(
    row: dict[Any, Any], quantity: str, column: str, *, end: str = "", part: str | None = ALL
) -> Number:
    return {
        "quantity": quantity,
        "level": row.get("level", "intersectional"),
        "combination": _papers_order(row.get("combination", ALL)),
        "model": row.get("model", ALL),
        "dataset": row.get("dataset", ALL),
        "part": part and _papers_order(part),
        "ours": row[column],
        "ours_low": row.get(f"{column}{end}_low", nan),
        "ours_high": row.get(f"{column}{end}_high", nan),
    }


def _without_atomic(table: pd.DataFrame) -> pd.DataFrame:
    """Return the cells of biased mutants whose atomic mutants are both benign."""
    return table[table["intersectional"] & ~table["first"] & ~table["second"]]


def _total(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all models and all combinations."""
    return table[table["combination"].eq(ALL) & table["model"].eq(ALL)]


def _papers_order(combination: str) -> str:
    """Return a combination in the paper's order, in which gender comes last."""
    return "race+gender" if combination == "gender+race" else combination


def _odds(number: Number) -> dict[str, float]:
    """Return the odds at the ends of a share's interval; nan if they are unbounded."""
    ends = {name: number[name] for name in ("ours_low", "ours_high")}
    bounded = ends["ours_high"] < 1
    return {name: round(end / (1 - end), 6) if bounded else nan for name, end in ends.items()}
