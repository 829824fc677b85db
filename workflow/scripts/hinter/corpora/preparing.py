"""From a user's file to a corpus: clean, identify, drop duplicates, draw the splits."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..errors import InputError
from .rows import Row, read_rows
from .sampling import draw_splits
from .texts import CORPUS_SCHEMA, Text

EXAMPLES = "examples"
# In the order in which they are drawn.
SPLITS = ("tested", "held_out", "calibration", "training")
# NUL, and halves of surrogate pairs, which JSON can spell and UTF-8 cannot.
FORBIDDEN = re.compile("[\0\ud800-\udfff]")


@dataclass
class Counts:
    """What became of the rows of a dataset's file."""

    rows: int = 0
    left_out_by_filter: int = 0
    longer_than_max_chars: int = 0
    duplicates: int = 0
    texts: int = 0


def prepare_corpus(
    path: Path, *, sheet: Mapping[str, Any], examples: Iterable[str], seed: int
) -> tuple[pa.Table, Counts]:
    """Return the corpus table (CORPUS_SCHEMA, sorted by original_id) and its counts.

    `sheet` is the dataset's entry in the datasets sheet. An original_id is the first 16
    hexadecimal digits of the SHA-256 of the cleaned text, so it does not depend on the file's
    order, and equal texts are duplicates: the first one is kept. The original_ids in `examples`
    are set apart as the split `examples`, wherever `max_chars` would leave them. Raises
    `InputError` for rows that cannot be used and for splits larger than the corpus.
    """
    counts, chosen = Counts(), set(examples)
    texts: dict[str, Text] = {}
    for text in _read_texts(path, sheet=sheet, counts=counts):
        if text.original_id in texts:
            counts.duplicates += 1
        else:
            texts[text.original_id] = text
    _check_examples(chosen - texts.keys(), path=path)
    limit = sheet["max_chars"]
    short = {key for key, text in texts.items() if limit is None or len(text.text) <= limit}
    counts.longer_than_max_chars = len(texts) - len(short)
    counts.texts = len(short)
    sizes = {split: sheet["splits"][split] for split in SPLITS if split in sheet["splits"]}
    splits = draw_splits(short - chosen, sizes=sizes, seed=seed)
    _check_sizes(splits, sheet=sheet, path=path)
    splits |= dict.fromkeys(chosen, EXAMPLES)
    rows = [
        {
            "original_id": key,
            "split": splits[key],
            "text": texts[key].text,
            "labels": texts[key].labels,
        }
        for key in sorted(splits)
    ]
    return pa.Table.from_pylist(rows, schema=CORPUS_SCHEMA), counts


def _read_texts(path: Path, *, sheet: Mapping[str, Any], counts: Counts) -> Iterator[Text]:
    for place, row in read_rows(path):
        _check_columns(row, sheet=sheet, place=place)
        counts.rows += 1
        if any(str(row[column]) != value for column, value in sheet["where"].items()):
            counts.left_out_by_filter += 1
            continue
        yield _to_text(row, sheet=sheet, place=place)
    if counts.rows == counts.left_out_by_filter:
        raise InputError(
            where=str(path),
            found=f"no text in {counts.rows} rows",
            expected="rows that fit the dataset's `where`",
            fix="Correct the file, or `where` in the datasets sheet.",
        )


def _to_text(row: Row, *, sheet: Mapping[str, Any], place: str) -> Text:
    text = row[sheet["text"]]
    if isinstance(text, str):
        for old, new in sheet["replacements"].items():
            text = text.replace(old, new)
    problem = _problem_of(text)
    if problem:
        raise InputError(
            where=f"{place}, column '{sheet['text']}'",
            found=problem,
            expected="a text",
            fix="Remove or correct that row.",
        )
    original_id = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Text(original_id, text, _labels_of(row, sheet=sheet, place=place))


def _problem_of(text: object) -> str | None:
    if not isinstance(text, str):
        return f"{text!r:.60}"
    if not text.strip():
        return "no text"
    forbidden = FORBIDDEN.search(text)
    return f"the character U+{ord(forbidden.group()):04X}" if forbidden else None


def _labels_of(row: Row, *, sheet: Mapping[str, Any], place: str) -> tuple[str, ...]:
    if sheet["label"] is None:
        return ()
    cell = row[sheet["label"]]
    values = [str(value) for value in (cell if isinstance(cell, list) else [cell])]
    names: Mapping[str, str] = sheet["label_names"]
    unknown = [value for value in values if value not in names]
    if unknown:
        raise InputError(
            where=f"{place}, column '{sheet['label']}'",
            found=f"the label '{unknown[0]}'",
            expected=f"one of {', '.join(names)}",
            fix="Correct the row, or list the label under `label_names` in the datasets sheet.",
        )
    return tuple(sorted({names[value] for value in values}))


def _check_columns(row: Row, *, sheet: Mapping[str, Any], place: str) -> None:
    for column in [sheet["text"], sheet["label"], *sheet["where"]]:
        if column is not None and column not in row:
            raise InputError(
                where=place,
                found=f"the columns {', '.join(row)}",
                expected=f"a column '{column}'",
                fix="Correct `text`, `label` or `where` in the datasets sheet.",
            )


def _check_examples(missing: set[str], *, path: Path) -> None:
    if missing:
        raise InputError(
            where=str(path),
            found=f"no text with original_id {', '.join(sorted(missing))}",
            expected="every example that the prompt names",
            fix="Correct `examples` in the dataset's prompt file.",
        )


def _check_sizes(splits: Mapping[str, str], *, sheet: Mapping[str, Any], path: Path) -> None:
    drawn = list(splits.values())
    for split, size in sheet["splits"].items():
        if size is not None and drawn.count(split) < size:
            raise InputError(
                where=f"{path}, split '{split}'",
                found=f"{drawn.count(split)} texts left to draw",
                expected=f"{size}",
                fix="Ask for smaller splits or a larger `max_chars` in the datasets sheet.",
            )
