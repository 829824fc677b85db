"""Find the columns of a user's file: that of the texts, and that of their labels."""

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ..corpora import plain, read_rows
from ..errors import InputError
from ..markup import has_html

MOST_LABELS = 20
"""A column with more distinct values is not taken for one of labels."""


class Columns(NamedTuple):
    """The columns of a file.

    `label` is None if there is no column of labels, or if several columns could be it (`others`).
    `labels` counts the values of the label column, and `listed` says whether its cells are lists.
    `alike` has the columns with one value. `words` has the number of words of each text, `distinct`
    counts those that differ and are not empty, and `html` says whether texts have HTML.
    """

    text: str
    label: str | None
    labels: Counter[str]
    listed: bool
    others: Sequence[str]
    alike: Sequence[str]
    words: Sequence[int]
    distinct: int
    html: bool


def find_columns(path: Path, *, names: Collection[str]) -> Columns:
    """Return the columns of a dataset's file: the one with the longest cells has the texts.

    The label column has few distinct values, each of them several times. If there are several such
    columns, it is the one named `label`, or the only one whose values are the `names` that the
    model gives to labels. Raises `InputError` if the file cannot be read or has no texts.
    """
    table = pd.DataFrame([row for _, row in read_rows(path)], dtype=object)
    columns = [str(name) for name in table]
    words = table.map(_words)
    text = max(columns, key=lambda name: (name == "text", words[name].mean()), default="")
    if not text or words[text].mean() < 2:
        raise InputError(
            where=str(path),
            found=f"{len(table)} rows with the columns {', '.join(columns) or 'of no name'}",
            expected="a column of texts",
            fix="Give the file a header, and a column with a text in each row.",
        )
    values = {
        name: Counter[str](table[name].explode().dropna().map(plain))
        for name in columns
        if name != text
    }
    most = min(MOST_LABELS, len(table) // 2)
    likely = [name for name, own in values.items() if 2 <= len(own) <= most and "" not in own]
    lower = {name.lower() for name in names}
    named = [name for name in likely if {value.lower() for value in values[name]} <= lower]
    certain = (likely, [name for name in likely if name == "label"], named)
    label = next((chosen[0] for chosen in certain if len(chosen) == 1), None)
    return Columns(
        text,
        label,
        values[label] if label else Counter(),
        any(isinstance(cell, list) for cell in table[label]) if label else False,
        [name for name in likely if name != label],
        [name for name, own in values.items() if len(own) == 1],
        words[text].tolist(),
        table[text][words[text] > 0].map(str).str.strip().nunique(),
        any(isinstance(cell, str) and has_html(cell) for cell in table[text]),
    )


def _words(cell: Any) -> int:
    parts = cell if isinstance(cell, list) else [cell]
    return sum(len(part.split()) for part in parts if isinstance(part, str))
