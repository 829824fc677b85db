"""Which groups the Social Bias Inference Corpus (Sap et al. 2020) speaks of, and how often."""

import csv
import json
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from ..errors import InputError

COLUMNS = ("targetCategory", "targetMinority")


def count_posts(files: Iterable[Path]) -> Counter[tuple[str, str]]:
    """Return the number of posts per (category, group) in SBIC's aggregated CSV files.

    A post lists its categories and its groups apart, so it counts once for every distinct pair
    of the two. A list element may hold several groups separated by commas. Names are lower-cased.
    Raises `InputError` with file and line where a cell is not a JSON list of strings.
    """
    posts: Counter[tuple[str, str]] = Counter()
    for path in files:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            for row in reader:
                names = (
                    _names(row, column, where=f"{path}, line {reader.line_num}")
                    for column in COLUMNS
                )
                posts.update(product(*names))
    return posts


def read_posts(path: Path) -> dict[tuple[str, str], int]:
    """Return the counts by (category, group) from a CSV that was made of `count_posts`."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {(row["category"], row["group"]): int(row["posts"]) for row in rows}


def _names(row: dict[str, str], column: str, *, where: str) -> set[str]:
    cell = row.get(column)
    try:
        elements = json.loads(cell or "")
        names = {name.strip().lower() for element in elements for name in element.split(",")}
    except (ValueError, AttributeError, TypeError):
        raise InputError(
            where=where,
            found=f"{column} = {cell!r}",
            expected="a JSON list of names, as in SBIC's aggregated files (SBIC.v2.agg.*.csv)",
            fix="Use the unchanged files of SBIC version 2.",
        ) from None
    return names - {""}
