"""The tables and figures of a study as parts of the page, by the questions that they answer."""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

import pandas as pd

from .links import with_links

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


@dataclass(frozen=True)
class Exhibit:
    """A table or figure: its category and title, and its caption and content as safe HTML.

    Its `name` is that of its file after `table-` or `figure-`.
    """

    name: str
    question: str
    title: str
    caption: str
    shown: str


def read_exhibits(
    declared: Iterable[Mapping[str, str]], files: Iterable[str], *, rows: Mapping[str, pd.DataFrame]
) -> list[tuple[str, str, Sequence[Exhibit]]]:
    """Return category, question and exhibits, in the order of the page.

    `declared` has question, title and caption of each; `files` are its HTML or PNG, in that order.
    Cells lead to cases in the tables whose `rows` are given by name.
    """
    exhibits = [
        Exhibit(
            f"{'figure' if file.endswith('.png') else 'table'}-{Path(file).stem}",
            exhibit["question"],
            exhibit["title"],
            _caption(exhibit["caption"]),
            _shown(Path(file), exhibit["title"], rows=rows),
        )
        for exhibit, file in zip(declared, files, strict=True)
    ]
    return list(_by_question(exhibits))


def _by_question(exhibits: Iterable[Exhibit]) -> Iterator[tuple[str, str, Sequence[Exhibit]]]:
    order = list(QUESTIONS)
    found = sorted(exhibits, key=lambda each: order.index(each.question))
    for name, group in groupby(found, key=lambda each: each.question):
        yield name, QUESTIONS[name], list(group)


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
