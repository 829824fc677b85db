"""Make a corpus of a user's file: read texts, drop duplicates, find examples, assign splits.

The texts of a split are assigned by the dataset itself, or sampled. A few-shot example is named by
its original_id, or as `SPLIT:ROW`: the number of its row, from 0 in the file's order, among the
rows with the value SPLIT in the dataset's split column.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..errors import InputError
from ..markup import has_html
from .source_texts import Counts, plain, read_texts
from .texts import CORPUS_SCHEMA, EXAMPLES, TESTED, Text, sample_splits, with_fault

# In the order in which they are sampled.
SPLITS = (TESTED, "held_out", "calibration", "validation", "training")

Parts = Mapping[str, str | None]
"""The value of each text in the dataset's split column, by original_id (None: no such column)."""

Expected = Mapping[str, tuple[str, ...]]
"""The labels that each example must have, by its name."""
FIX = "Correct `examples` in the dataset's prompt file."


def assign_splits(
    parts: Parts, *, wanted: Mapping[str, Any], seed: int, path: Path
) -> tuple[dict[str, str], set[str]]:
    """Return the split of each text that is in one, and the tested texts.

    `wanted` gives for each split the values of the split column that make it (one, or a list), or
    the number of texts to sample (None: all remaining ones). Tested texts are sampled from all
    texts, so they may also be in a split by their value; other splits are sampled, disjointly, from
    texts in no split yet. If all remaining texts are tested, splits with a number are sampled
    first. Raises `InputError` if a split cannot be made; `path` is the dataset's
    file.
    """
    values = {
        split: [*map(plain, [want] if isinstance(want, str) else want)]
        for split, want in wanted.items()
        if isinstance(want, str | list)
    }
    _check_values(values, parts=parts, path=path)
    sizes = {split: wanted[split] for split in SPLITS if split in wanted.keys() - values.keys()}
    sampled: dict[str, str] = {}
    splits_by_value = {
        value: split for split, made_of in values.items() if split != TESTED for value in made_of
    }
    given = {key: splits_by_value[part] for key, part in parts.items() if part in splits_by_value}
    if TESTED in values:
        tested = {key for key, part in parts.items() if part in values[TESTED]}
    else:
        size = sizes.pop(TESTED)
        first = {name: sizes.pop(name) for name in [*sizes] if size is None and sizes[name]}
        sampled = sample_splits(parts.keys() - given.keys(), sizes=first, seed=seed)
        tested = set(sample_splits(parts.keys() - sampled.keys(), sizes={TESTED: size}, seed=seed))
    left = parts.keys() - given.keys() - sampled.keys() - tested
    sampled |= sample_splits(left, sizes=sizes, seed=seed)
    found = Counter(sampled.values()) + Counter({TESTED: len(tested)})
    _check_sizes(found, wanted=wanted, path=path)
    return dict.fromkeys(tested, TESTED) | given | sampled, tested


def _check_values(values: Mapping[str, list[str]], *, parts: Parts, path: Path) -> None:
    there = set(parts.values())
    taken: dict[str, str] = {}
    for split, made_of in values.items():
        for value in made_of:
            owner = split if split == TESTED else taken.setdefault(value, split)
            if value not in there or owner != split:
                raise InputError(
                    where=f"{path}, split '{split}'",
                    found=f"the value '{value}', which "
                    + ("no text has" if value not in there else f"makes the split '{owner}'"),
                    expected="values of the split column, each in only one split",
                    fix="Correct `splits` or `split_column` in the datasets sheet.",
                )


def _check_sizes(found: Mapping[str, int], *, wanted: Mapping[str, Any], path: Path) -> None:
    for split, size in wanted.items():
        if isinstance(size, int) and found[split] < size:
            raise InputError(
                where=f"{path}, split '{split}'",
                found=f"{found[split]} texts left to sample",
                expected=f"{size}",
                fix="Ask for smaller splits or a larger `max_chars` in the datasets sheet.",
            )


def prepare_corpus(
    path: Path, *, sheet: Mapping[str, Any], examples: Expected, seed: int
) -> tuple[pa.Table, Counts]:
    """Return the corpus table (CORPUS_SCHEMA, sorted by original_id) and its counts.

    `sheet` is the dataset's entry in the datasets sheet. Of equal texts, only the first is kept, in
    its split. The `examples` form the split `examples`, whatever their length and split column. If
    some are missing or have other labels, the table records this fault for the prompted models that
    use them (`fault_of_examples`). Raises `InputError` for rows that cannot be used, and splits
    that cannot be made.
    """
    counts = Counts()
    texts: dict[str, Text] = {}
    parts: dict[str, str | None] = {}
    chosen: dict[str, Text] = {}
    for text, part, names in read_texts(path, sheet=sheet, counts=counts):
        for name in filter(examples.__contains__, names):
            chosen.setdefault(name, text)
        if text.original_id in texts:
            counts.duplicates += 1
        else:
            texts[text.original_id], parts[text.original_id] = text, part
    labelled = sheet["label"] is not None
    fault = fault_in_examples(chosen, expected=examples, labelled=labelled, path=path)
    apart = {text.original_id: name for name, text in chosen.items()}
    parts = _short(parts, texts=texts, limit=sheet["max_chars"], counts=counts)
    candidates = {key: part for key, part in parts.items() if key not in apart}
    splits, tested = assign_splits(candidates, wanted=sheet["splits"], seed=seed, path=path)
    splits |= dict.fromkeys(apart, EXAMPLES)
    texts |= {text.original_id: text for text in chosen.values()}
    table = _table(texts, splits=splits, tested=tested, apart=apart)
    return with_fault(table, fault), counts


def _short(
    parts: Mapping[str, str | None], *, texts: Mapping[str, Text], limit: int | None, counts: Counts
) -> dict[str, str | None]:
    """Return the `parts` whose texts have at most `limit` characters, and count all kinds."""
    short = {
        key: part for key, part in parts.items() if limit is None or len(texts[key].text) <= limit
    }
    counts.longer_than_max_chars = len(parts) - len(short)
    counts.texts = len(short)
    counts.with_html = sum(has_html(texts[key].text) for key in short)
    return short


def _table(
    texts: Mapping[str, Text],
    *,
    splits: Mapping[str, str],
    tested: set[str],
    apart: Mapping[str, str],
) -> pa.Table:
    keys = sorted(splits)
    columns = {
        "original_id": keys,
        "split": [splits[key] for key in keys],
        "tested": [key in tested for key in keys],
        "text": [texts[key].text for key in keys],
        "labels": [texts[key].labels for key in keys],
        "example": [apart.get(key) for key in keys],
    }
    return pa.table(columns, schema=CORPUS_SCHEMA)


def fault_in_examples(
    found: Mapping[str, Text], *, expected: Expected, labelled: bool, path: Path
) -> dict[str, str] | None:
    """Return the parts of an `InputError`, or None if all examples were found with their labels.

    `found` has the examples by name; in a dataset that is not `labelled`, labels are not compared.
    No two examples may have the same text. `path` is the dataset's file.
    """
    names: dict[str, str] = {}
    for name, labels in expected.items():
        where = f"{path}, example '{name}'"
        if name not in found:
            part, _, row = name.rpartition(":")
            absent = f"no row {row} of '{part}'" if part else f"no text with original_id {name}"
            wanted = "every example that the prompt names"
            return {"where": str(path), "found": absent, "expected": wanted, "fix": FIX}
        own = found[name].labels
        if labelled and set(own) != set(labels):
            fix = f"{FIX} Rows are counted from 0, in the file's order, after `where`."
            wanted = f"({', '.join(labels)}), as the prompt says"
            has = f"the labels ({', '.join(own)})"
            return {"where": where, "found": has, "expected": wanted, "fix": fix}
        first = names.setdefault(found[name].original_id, name)
        if first != name:
            same = f"the text of the example '{first}'"
            return {"where": where, "found": same, "expected": "another text", "fix": FIX}
    return None
