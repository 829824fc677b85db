"""Find the columns of a user's file: that of the texts, and that of their labels."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from ..corpora import plain, read_rows
from ..errors import InputError
from ..markup import has_html

MOST_LABELS = 20
"""A column with more distinct values is not taken for one of labels."""


class Columns(NamedTuple):
    """The columns of a file.

    `label` is None if there is no column of labels, or if several columns could be it (`others`).
    `labels` counts the values of the label column, and `listed` says whether its cells are lists.
    `words` has the number of words of each text, and `html` says whether texts have HTML.
    """

    text: str
    label: str | None
    labels: Counter[str]
    listed: bool
    others: Sequence[str]
    words: Sequence[int]
    html: bool


def find_columns(path: Path, *, names: Collection[str]) -> Columns:
    """Return the columns of a dataset's file: the one with the longest cells has the texts.

    The label column has few distinct values, each of them several times. If there are several such
    columns, it is the one named `label`, or the only one whose values are the `names` that the
    model gives to labels. Raises `InputError` if the file cannot be read or has no texts.
    """
    rows = [row for _, row in read_rows(path)]
    columns = {name: [row.get(name) for row in rows] for name in dict.fromkeys(chain(*rows))}
    words = {name: [*map(_words, cells)] for name, cells in columns.items()}
    text = max(words, key=lambda name: (name == "text", mean(words[name])), default="")
    if not text or mean(words[text]) < 2:
        raise InputError(
            where=str(path),
            found=f"{len(rows)} rows with the columns {', '.join(columns) or 'of no name'}",
            expected="a column of texts",
            fix="Give the file a header, and a column with a text in each row.",
        )
    values = {name: _values(cells) for name, cells in columns.items() if name != text}
    likely = [name for name, counts in values.items() if _are_labels(counts, rows=len(rows))]
    label = _chosen(likely, values=values, names=names)
    return Columns(
        text,
        label,
        values[label] if label else Counter(),
        any(isinstance(cell, list) for cell in columns[label]) if label else False,
        [name for name in likely if name != label],
        words[text],
        any(isinstance(cell, str) and has_html(cell) for cell in columns[text]),
    )


def _chosen(
    likely: Sequence[str], *, values: dict[str, Counter[str]], names: Collection[str]
) -> str | None:
    """Return the label column among the likely ones, or None if it is not certain."""
    for chosen in (likely, [n for n in likely if n == "label"], _named(likely, values, names)):
        if len(chosen) == 1:
            return chosen[0]
    return None


def _named(
    likely: Sequence[str], values: dict[str, Counter[str]], names: Collection[str]
) -> list[str]:
    lower = {name.lower() for name in names}
    return [name for name in likely if {value.lower() for value in values[name]} <= lower]


def _words(cell: Any) -> int:
    parts = cell if isinstance(cell, list) else [cell]
    return sum(len(part.split()) for part in parts if isinstance(part, str))


def _values(cells: Sequence[Any]) -> Counter[str]:
    lists = (cell if isinstance(cell, list) else [cell] for cell in cells)
    return Counter(plain(value) for value in chain.from_iterable(lists) if value is not None)


def _are_labels(counts: Counter[str], *, rows: int) -> bool:
    return 2 <= len(counts) <= min(MOST_LABELS, rows // 2) and "" not in counts
