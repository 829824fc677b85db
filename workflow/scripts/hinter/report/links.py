"""Cells of the page's tables that lead to the cases behind them."""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

import pandas as pd

Row = Mapping[Any, Any]
Filters = Mapping[str, str]
Counted = tuple[Callable[[Row], float], Filters | Callable[[Row], Filters]]
"""How many cases a row counts, and the filters that leave these.

They stand beside those of the row's keys, or are made of the row.
"""


def _of(column: str) -> Callable[[Row], float]:
    return lambda row: row[column]


def _changed(row: Row) -> float:
    return float(row["rate"] * row["n"])


def _probed(**filters: str) -> Callable[[Row], Filters]:
    """Return the filters of a row on the probe of gender and income."""
    return lambda row: {
        **{"model": row["model"], "dataset": "gender_income"},
        **({"question": row["flip"]} if "flip" in row else {"question": "lattice"}),
        **({"combination": row["attributes"]} if "attributes" in row else {}),
        **_replaced_sex(row),
        **filters,
    }


def _replaced_sex(row: Row) -> Filters:
    change = row.get("change", "all")
    return {} if change == "all" else {"replaced": f"sex: {change.replace(' > ', ' → ')}"}


def _named(finding: str) -> Counted:
    """Return what a row on professions counts of a finding."""

    def filters(row: Row) -> Filters:
        found = {"model": row["model"], "dataset": "professional", "finding": finding}
        pair = (
            {} if row["pair"] == "all" else dict(zip(PAIR, row["pair"].split(" / "), strict=True))
        )
        pronoun = {} if row["pronoun"] == "all" else {"pronoun": row["pronoun"]}
        return found | {f"{name} in the prompt": value for name, value in (pair | pronoun).items()}

    return _of(finding), filters


def _faults(row: Row) -> Filters:
    """Return the filters of a row that counts faults."""
    found = {"model": row["model"], "fault": row["metric"]}
    found |= {name: row[name] for name in ("relation", "family") if name in row}
    if "attributes" in row:
        found[SOURCE] = row["attributes"]
    return found | ({row["level"]: row["line"]} if "level" in row else {})


PAIR = ("male", "female")
FINDINGS = ("stereotype", "other", "both", "neither", "hedged", "refused", "unread")
SOURCE = "attributes of the source"
VALID, HIDDEN, LISTED = {"check": "valid"}, {"hidden": "yes"}, {"drawn": "no"}
LINKED: Mapping[str, Mapping[str, Counted]] = {
    "table2_bias_rates": {
        "bias %": (_of("biased"), VALID),
        "hidden % of biased": (_of("hidden"), VALID | HIDDEN),
    },
    "lattice": {"hidden": (_of("hidden"), VALID | HIDDEN)},
    "groups_bias": {"biased": (_of("biased"), VALID | LISTED)},
    "interactions": {
        "hidden": (lambda row: row["hidden"] * (row["one_person"] == "all"), VALID | HIDDEN)
    },
    "figure7_false_positives": {"biased": (_of("biased"), LISTED)},
    "corrected_rates": {"biased": (_of("biased"), VALID | LISTED)},
    "excess": {"%": (_changed, VALID)},
    "figure9_truth_table": {
        "mutants": (lambda row: row["mutants"] * row["intersectional"], VALID | {"order": "2"})
    },
    "table1_hidden_cases": {
        "mutations": (lambda row: row["role"] == "intersectional", VALID | HIDDEN)
    },
    "examined_cases": {"cases": (_of("cases"), VALID)},
    "harness": {
        "hits": (
            _of("hits"),
            lambda row: {"dataset": row["probe"], "model": row["model"], "hit": "yes"},
        )
    },
    "gender_income_flips": {
        "asked": (_of("asked"), _probed()),
        "hits": (_of("hits"), _probed(changed="yes")),
    },
    "gender_income_lattice": {
        "asked": (_of("asked"), _probed()),
        "biased": (_of("biased"), _probed(changed="yes")),
        "hidden": (_of("hidden"), _probed(changed="yes", hidden="yes")),
    },
    "professional_answers": {finding: _named(finding) for finding in FINDINGS},
    "faults": {"faults": (_of("faults"), _faults)},
    "combinations": {"faults": (_of("faults"), _faults)},
    "excess_of_faults": {"%": (_changed, _faults)},
    "follow_ups": {"follow-ups": (_of("follow_ups"), lambda row: {"relation": row["relation"]})},
}
"""The cells as they are shown, by table and column.

They count biased mutants, one per model, or prompts of probes and relations.
"""
KEYS = ("model", "dataset", "order", "level", "check", "original_id", "mutations")
"""Columns that are filters of the page, too."""
PARTS = ("first", "second")
"""Columns that say whether the atomic mutants of the first and of the second pair are biased."""

_CELL = re.compile(r"(<td>)(.*?)(</td>)", flags=re.DOTALL)
_HEADER = re.compile(r"<th>(.*?)</th>", flags=re.DOTALL)


def with_links(table: str, name: str, rows: pd.DataFrame) -> str:
    """Return the HTML of the table `name` with links to cases; `rows` are those of its CSV."""
    linked = LINKED.get(name, {})
    headers = _HEADER.findall(table)
    links = (
        _link(row, linked[header]) if header in linked else None
        for row in rows.to_dict("records")
        for header in headers
    )
    return _CELL.sub(lambda cell: _linked(cell, next(links)), table) if linked else table


def _link(row: Row, counted: Counted) -> str | None:
    """Return where a cell leads, None where it counts nothing."""
    count, filters = counted
    if not count(row) > 0:
        return None
    return urlencode(filters(row) if callable(filters) else _filters(row) | dict(filters))


def _filters(row: Row) -> dict[str, str]:
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


def _linked(cell: re.Match[str], link: str | None) -> str:
    start, text, end = cell.groups()
    return f'{start}<a href="#{escape(link)}">{text}</a>{end}' if link else cell[0]
