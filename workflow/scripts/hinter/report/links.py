"""Cells of the page's tables that lead to the cases behind them."""

import re
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

import pandas as pd

Row = Mapping[Any, Any]
Counted = tuple[Callable[[Row], float], Mapping[str, str]]
"""How many cases a row counts, and the filters that leave these, beside those of the row's keys."""


def _of(column: str) -> Callable[[Row], float]:
    return lambda row: row[column]


def _changed(row: Row) -> float:
    return float(row["rate"] * row["n"])


def _biased_cell(row: Row) -> float:
    return int(row["mutants"]) if row["intersectional"] else 0


def _is_mutant(row: Row) -> float:
    return int(row["role"] == "intersectional")


VALID, HIDDEN, LISTED = {"check": "valid"}, {"hidden": "yes"}, {"drawn": "no"}
LINKED: Mapping[str, Mapping[str, Counted]] = {
    "table2_bias_rates": {
        "bias %": (_of("biased"), VALID),
        "hidden % of biased": (_of("hidden"), VALID | HIDDEN),
    },
    "lattice": {"hidden": (_of("hidden"), VALID | HIDDEN)},
    "groups_bias": {"biased": (_of("biased"), VALID | LISTED)},
    "interactions": {"hidden": (_of("hidden"), VALID | HIDDEN)},
    "figure7_false_positives": {"biased": (_of("biased"), LISTED)},
    "corrected_rates": {"biased": (_of("biased"), VALID | LISTED)},
    "excess": {"%": (_changed, VALID)},
    "figure9_truth_table": {"mutants": (_biased_cell, VALID | {"order": "2"})},
    "table1_hidden_cases": {"mutations": (_is_mutant, VALID | HIDDEN)},
    "examined_cases": {"cases": (_of("cases"), VALID)},
}
"""The cells as they are shown, by table and column; all count biased mutants, one per model."""
KEYS = ("model", "dataset", "order", "level", "check", "original_id", "mutations")
"""Columns that are filters of the page, too."""
PARTS = ("first", "second")
"""Columns that say whether the atomic mutants of the first and of the second pair are biased."""

_ROW = re.compile(r"<tr.*?</tr>", flags=re.DOTALL)
_CELL = re.compile(r"(<td>)(.*?)(</td>)", flags=re.DOTALL)
_HEADER = re.compile(r"<th>(.*?)</th>", flags=re.DOTALL)


def with_links(table: str, name: str, rows: pd.DataFrame) -> str:
    """Return the HTML of the table `name` with links to cases; `rows` are those of its CSV."""
    linked = LINKED.get(name, {})
    headers = _HEADER.findall(table)
    told: Iterator[Row] = iter(rows.to_dict("records"))

    def with_cells(row: re.Match[str]) -> str:
        if "<td>" not in row[0]:
            return row[0]
        links = {
            headers.index(column): _link(next_row, counted)
            for next_row in [next(told)]
            for column, counted in linked.items()
            if column in headers
        }
        cells = iter(range(len(headers)))
        return _CELL.sub(lambda cell: _linked(cell, links.get(next(cells))), row[0])

    return _ROW.sub(with_cells, table) if linked else table


def _link(row: Row, counted: Counted) -> str | None:
    """Return where a cell leads, None where it counts nothing."""
    count, filters = counted
    return urlencode(_filters(row) | dict(filters)) if count(row) > 0 else None


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
