"""The study's own numbers that have a counterpart in the paper, from its tables."""

from collections.abc import Callable, Iterable, Iterator, Mapping
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
        "table2_totals": partial(_all, RATES, end="_cluster", part=None),
        "figure4_biased_originals": partial(_all, {"biased_originals": "share"}),
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


def _all(columns: Mapping[str, str], table: pd.DataFrame, **form: Any) -> Iterator[Number]:
    """Yield the numbers of all rows in some `columns`, which are given by quantity."""
    for row in table.to_dict("records"):
        for quantity, column in columns.items():
            yield _number(row, quantity, column, **form)


def _by_level(columns: Mapping[str, str], table: pd.DataFrame) -> Iterator[Number]:
    """Yield the same for the rows over all datasets, which the paper groups by level."""
    for row in _over_datasets(table).to_dict("records"):
        for quantity, column in columns.items():
            yield _number(row, quantity, column, part=row["level"])


def _grammar(table: pd.DataFrame) -> Iterator[Number]:
    rows = _over_datasets(table[table["model"] == ALL])
    for row in rows.to_dict("records"):
        columns = GRAMMAR
        if row["outcome"] != ALL:
            columns = {f"grammar_of_{row['outcome']}": "score_mutants"}
        for quantity, column in columns.items():
            yield _number(row, quantity, column, part=row["level"])


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
    only = table[table["intersectional"] & ~table["first"] & ~table["second"]]
    for row in _margins(only):
        part = _papers_order(row["combination"])
        yield _number(row, "intersectional_only", "share", end="_cluster", part=part)


def _shared(table: pd.DataFrame) -> Iterator[Number]:
    for row in _margins(table):
        if row["combination"] == row["model"] == ALL:
            yield _number(
                row | {"level": "atomic"}, "atomic_shared", "shared_share", end="_cluster"
            )


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
    cells, atomic = made["figure9_truth_table"], made["figure9_atomic_mutants"]
    only = cells[cells["intersectional"] & ~cells["first"] & ~cells["second"]]
    totals = (
        table[table["combination"].eq(ALL) & table["model"].eq(ALL)] for table in (only, atomic)
    )
    mutants, strict = (
        int(total[name].sum()) for total, name in zip(totals, ("mutants", "strict"), strict=True)
    )
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
        "part": part,
        "ours": row[column],
        "ours_low": row.get(f"{column}{end}_low", nan),
        "ours_high": row.get(f"{column}{end}_high", nan),
    }


def _over_datasets(table: pd.DataFrame) -> pd.DataFrame:
    """Return the totals over all datasets, or the rows of the only one, which come first."""
    return table[table["dataset"].isin(table["dataset"].head(1))]


def _margins(table: pd.DataFrame) -> Iterable[dict[Any, Any]]:
    """Return the rows over all models or over all combinations."""
    return table[table["combination"].eq(ALL) | table["model"].eq(ALL)].to_dict("records")


def _papers_order(combination: str) -> str:
    """Return a combination in the paper's order, in which gender comes last."""
    return "race+gender" if combination == "gender+race" else combination


def _odds(number: Number) -> dict[str, float]:
    """Return the odds at the ends of a share's interval; nan if they are unbounded."""
    ends = {name: number[name] for name in ("ours_low", "ours_high")}
    bounded = ends["ours_high"] < 1
    return {name: round(end / (1 - end), 6) if bounded else nan for name, end in ends.items()}
