"""Link cells of the page's tables to the cases behind them."""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

import pandas as pd

Row = Mapping[Any, Any]
Filters = Mapping[str, str]
Count = str | Callable[[Row], float]
"""How many cases a row counts: the number in a column, or a function of the row."""

VALID, HIDDEN, LISTED = {"check": "valid"}, {"hidden": "yes"}, {"sampled": "no"}
CHANGED = {"changed": "yes"}
FINDINGS = ("stereotype", "other", "both", "neither", "hedged", "refused", "unread")
_SHARE: Count = lambda row: row["rate"] * row["n"]  # noqa: E731
LINKED: Mapping[str, Mapping[str, tuple[Count, Filters]]] = {
    "table2_bias_rates": {
        "bias %": ("biased", VALID),
        "hidden % of biased": ("hidden", VALID | HIDDEN),
    },
    "lattice": {"hidden": ("hidden", VALID | HIDDEN)},
    "groups_bias": {"biased": ("biased", VALID | LISTED)},
    "interactions": {
        "hidden": (lambda row: row["hidden"] * (row["one_person"] == "all"), VALID | HIDDEN)
    },
    "figure7_false_positives": {"biased": ("biased", LISTED)},
    "corrected_rates": {"biased": ("biased", VALID | LISTED)},
    "excess": {"%": (_SHARE, VALID)},
    "figure9_truth_table": {
        "mutants": (lambda row: row["mutants"] * row["intersectional"], VALID | {"order": "2"})
    },
    "table1_hidden_cases": {
        "mutations": (lambda row: row["role"] == "intersectional", VALID | HIDDEN)
    },
    "examined_cases": {"cases": ("cases", VALID)},
    "harness": {"hits": ("hits", {"hit": "yes"})},
    "gender_income_flips": {"asked": ("asked", {}), "hits": ("hits", CHANGED)},
    "gender_income_lattice": {
        "asked": ("asked", {}),
        "biased": ("biased", CHANGED),
        "hidden": ("hidden", CHANGED | HIDDEN),
    },
    "professional_answers": {name: (name, {"finding": name}) for name in FINDINGS},
    "faults": {"faults": ("faults", {})},
    "combinations": {"faults": ("faults", {})},
    "excess_of_faults": {"%": (_SHARE, {})},
    "follow_ups": {"follow-ups": ("follow_ups", {})},
}
"""The cells with links, by table and column, with the filters that select their cases.

They count biased mutants, one per model, or prompts of probes and relations. These filters are
combined with those of the row (`OF_ROWS`).
"""


def _of_mutants(row: Row) -> Filters:
    found = {name: str(row[name]) for name in KEYS if name in row and row[name] != "all"}
    found |= {name: "yes" if row[name] else "no" for name in PARTS if name in row}
    attributes = row.get("attributes", row.get("combination", "all"))
    if not pd.isna(row.get("source_group")):
        ends = " → ".join(row[f"{end}_group"] for end in ("source", "target"))
        found["replaced"] = f"{attributes}: {ends}"
    elif attributes != "all":
        found["combination"] = attributes
    is_hidden = row.get("kind") == "hidden" or row.get("measure") == "hidden bias"
    return found | (HIDDEN if is_hidden else {})


def _of_income(row: Row) -> Filters:
    found = {"model": row["model"], "dataset": "gender_income"}
    found["question"] = row.get("flip", "lattice")
    if "attributes" in row:
        found["combination"] = row["attributes"]
    if row.get("change", "all") != "all":
        found["replaced"] = f"sex: {row['change'].replace(' > ', ' → ')}"
    return found


def _of_professions(row: Row) -> Filters:
    facts = {}
    if row["pair"] != "all":
        facts = dict(zip(("male", "female"), row["pair"].split(" / "), strict=True))
    if row["pronoun"] != "all":
        facts["pronoun"] = row["pronoun"]
    found = {"model": row["model"], "dataset": "professional"}
    return found | {f"{name} in the prompt": value for name, value in facts.items()}


def _of_faults(row: Row) -> Filters:
    found = {"model": row["model"], "fault": row["metric"]}
    found |= {name: row[name] for name in ("relation", "family") if name in row}
    if "attributes" in row:
        found["attributes of the source"] = row["attributes"]
    return found | ({row["level"]: row["line"]} if "level" in row else {})


OF_ROWS: Mapping[str, Callable[[Row], Filters]] = {
    "harness": lambda row: {"dataset": row["probe"], "model": row["model"]},
    **dict.fromkeys(("gender_income_flips", "gender_income_lattice"), _of_income),
    "professional_answers": _of_professions,
    **dict.fromkeys(("faults", "combinations", "excess_of_faults"), _of_faults),
    "follow_ups": lambda row: {"relation": row["relation"]},
}
"""The filters made from a row's keys, by table; `_of_mutants` makes those of the other tables."""
KEYS = ("model", "dataset", "order", "level", "check", "original_id", "mutations")
"""Columns that are also filters of the page."""
PARTS = ("first", "second")
"""Columns that say whether the atomic mutants of the first and of the second pair are biased."""

_CELL = re.compile(r"(<td>)(.*?)(</td>)", flags=re.DOTALL)
_HEADER = re.compile(r"<th>(.*?)</th>", flags=re.DOTALL)


def with_links(table: str, name: str, rows: pd.DataFrame) -> str:
    """Return the HTML of the table `name` with links to cases; `rows` are those of its CSV."""
    linked, of_row = LINKED.get(name, {}), OF_ROWS.get(name, _of_mutants)
    headers = _HEADER.findall(table)
    links = (
        _link(row, *linked[header], of_row=of_row) if header in linked else None
        for row in rows.to_dict("records")
        for header in headers
    )
    return _CELL.sub(lambda cell: _linked(cell, next(links)), table) if linked else table


def _link(
    row: Row, count: Count, filters: Filters, *, of_row: Callable[[Row], Filters]
) -> str | None:
    """Return the link of a cell, or None if it counts nothing."""
    counted = count(row) if callable(count) else row[count]
    return urlencode({**of_row(row), **filters}) if counted > 0 else None


def _linked(cell: re.Match[str], link: str | None) -> str:
    start, text, end = cell.groups()
    return f'{start}<a href="#{escape(link)}">{text}</a>{end}' if link else cell[0]
