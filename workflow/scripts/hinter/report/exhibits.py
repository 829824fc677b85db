"""The tables and figures of a study as parts of the page, by the questions that they answer.

Cells of tables lead to the cases behind them.
"""

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pandas as pd

from ..yaml_files import data_of

QUESTIONS = {
    "RQ1": "How much bias is there, and how much of it is hidden?",
    "RQ2": "Are the mutants grammatical?",
    "RQ3": "Which mutants are sound, and does the invariant find them?",
    "RQ4": "Do tests of one attribute find what tests of several find?",
    "Mitigation": "Does training on counterfactuals remove bias?",
    "Probes": "What do the probes of fairness find?",
    "Relations": "Do rewritten prompts change the answers?",
    "Mutants": "Which mutants are there?",
    "Data": "What was read, and what was learned from it?",
    "The paper": "How do these numbers compare with the paper's?",
}
"""The questions that the tables of each category answer, in the order of the page."""

_BODY = re.compile(r"<body>(.*)</body>", flags=re.DOTALL)
_EMPHASIS = re.compile(r"\*(\w[^*]*)\*")
_CODE = re.compile(r"``?([^`]+)``?")


def read_exhibits(
    declared: Iterable[Mapping[str, str]], files: Iterable[str], *, rows: Mapping[str, pd.DataFrame]
) -> list[tuple[str, str, Sequence[Mapping[str, str]]]]:
    """Return category, question and exhibits, in the order of the page.

    An exhibit, a table or figure, has the category `question` and a `title`, and as safe HTML its
    `caption` and what is `shown`. Its `name` is that of its file after `table-` or `figure-`.
    `declared` has question, title and caption of each; `files` are its HTML or PNG, in that order.
    Cells lead to cases in the tables whose `rows` are given by name.
    """
    exhibits = [
        {
            **exhibit,
            "name": f"{'figure' if file.endswith('.png') else 'table'}-{Path(file).stem}",
            "caption": _caption(exhibit["caption"]),
            "shown": _shown(Path(file), exhibit["title"], rows=rows),
        }
        for exhibit, file in zip(declared, files, strict=True)
    ]
    order = list(QUESTIONS)
    exhibits.sort(key=lambda each: order.index(each["question"]))
    groups = groupby(exhibits, key=itemgetter("question"))
    return [(name, QUESTIONS[name], list(group)) for name, group in groups]


def _caption(text: str) -> str:
    """Return the text of a caption, escaped, with its emphasis."""
    return _EMPHASIS.sub(r"<em>\1</em>", _CODE.sub(r"<code>\1</code>", escape(text.strip())))


def _shown(file: Path, title: str, *, rows: Mapping[str, pd.DataFrame]) -> str:
    """Return a picture, or a table as it was written, with cells that are already escaped."""
    if file.suffix == ".png":
        data = base64.b64encode(file.read_bytes()).decode()
        return f'<img alt="{escape(title)}" loading="lazy" src="data:image/png;base64,{data}">'
    body: str
    (body,) = _BODY.findall(file.read_text(encoding="utf-8"))
    return with_links(body, file.stem, rows[file.stem]) if file.stem in rows else body


Row = Mapping[Any, Any]
Filters = Mapping[str, str]

LINKED: Mapping[str, Mapping[str, tuple[str, Filters]]] = data_of(__file__)
"""The cells with links, by table and column: an expression of how many cases they count, and the
filters that select these. They are combined with those of the row (`OF_ROWS`)."""


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
    return found | ({"hidden": "yes"} if is_hidden else {})


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
    if not linked or rows.empty:
        return table
    counts: dict[str, Any] = {head: rows.eval(counted) for head, (counted, _) in linked.items()}
    headers = _HEADER.findall(table)
    links = (
        urlencode({**of_row(row), **linked[header][1]})
        if header in linked and counts[header].iloc[number] > 0
        else None
        for number, row in enumerate(rows.to_dict("records"))
        for header in headers
    )
    return _CELL.sub(lambda cell: _linked(cell, next(links)), table)


def _linked(cell: re.Match[str], link: str | None) -> str:
    start, text, end = cell.groups()
    return f'{start}<a href="#{escape(link)}">{text}</a>{end}' if link else cell[0]
