"""The groups named in SBIC (Sap et al. 2020): how often, and by which terms they are covered."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path

from ..errors import InputError
from ..lines import decoded_lines
from .curation import Curation
from .pairs import read_csv

SPLITS = ("trn", "dev", "tst")
WHOLE = "Use the unchanged files of SBIC version 2."


def split_files(folder: Path) -> list[Path]:
    """Return SBIC's aggregated CSV files in a folder, which may lack some of the three splits.

    Raises `InputError` if it has none.
    """
    named = [folder / f"SBIC.v2.agg.{split}.csv" for split in SPLITS]
    present = [path for path in named if path.is_file()]
    if not present:
        raise InputError(
            where=str(folder),
            found="none of SBIC's aggregated files",
            expected=f"at least one of {', '.join(path.name for path in named)}",
            fix="Name the folder of these files in the key 'sbic' of the configuration, or sbic_v2 "
            "to have them fetched.",
        )
    return present


def count_posts(files: Iterable[Path]) -> Counter[tuple[str, str]]:
    """Return the number of posts per (category, group) in SBIC's aggregated CSV files.

    A post lists its categories and its groups separately, so it counts once for every distinct pair
    of the two. A list element may have several groups separated by commas. Names are lower-cased.
    Raises `InputError` with file and line if a cell is not a JSON list of strings, and for a file
    in which no post has a category and a group.
    """
    posts: Counter[tuple[str, str]] = Counter()
    for path in files:
        with path.open("rb") as file:
            reader = csv.DictReader(decoded_lines(file, location=str(path)))
            found = Counter(
                pair
                for row in reader
                for pair in _pairs(row, where=f"{path}, line {reader.line_num}")
            )
        if not found:
            raise InputError(
                where=str(path),
                found="no post with a category and a group",
                expected="a row per post, as in SBIC's aggregated files",
                fix=WHOLE,
            )
        posts += found
    return posts


def read_posts(path: Path) -> dict[tuple[str, str], int]:
    """Return the counts by (category, group) from a CSV made with `count_posts`."""
    return {(row["category"], row["group"]): int(row["posts"]) for row in read_csv(path)}


def _pairs(row: dict[str, str], *, where: str) -> Iterator[tuple[str, str]]:
    categories = _names(row, "targetCategory", where=where)
    return product(categories, _names(row, "targetMinority", where=where))


def _names(row: dict[str, str], column: str, *, where: str) -> set[str]:
    cell = row.get(column)
    try:
        elements = json.loads(cell or "")
        if not isinstance(elements, list):
            raise TypeError
        names = {name.strip().lower() for element in elements for name in element.split(",")}
    except (ValueError, AttributeError, TypeError):
        raise InputError(
            where=where,
            found=f"{column} = {cell!r}",
            expected="a JSON list of names, as in SBIC's aggregated files (SBIC.v2.agg.*.csv)",
            fix=WHOLE,
        ) from None
    return names - {""}


def list_names(
    curations: Iterable[Curation], *, posts: Mapping[tuple[str, str], int]
) -> list[dict[str, str | int]]:
    """Return a row (category, name, posts, groups, terms) per category and name of SBIC.

    `posts` has SBIC's counts by both. A name is covered by the groups that list it in a curation
    file, if the file includes the category: `groups` gives them as `attribute:group`, `terms` all
    their terms, each joined by `; `. Both are empty for a name that is not covered. These names
    come first; both parts are sorted by decreasing posts.
    """
    known = sorted(curations, key=lambda curation: curation.attribute)
    rows = [_row(category, name, count, known) for (category, name), count in sorted(posts.items())]
    return sorted(rows, key=lambda row: (row["groups"] != "", -int(row["posts"])))


def _row(
    category: str, name: str, posts: int, curations: Iterable[Curation]
) -> dict[str, str | int]:
    answering = [
        (curation, group)
        for curation in curations
        if category in curation.categories
        for group, names in curation.sbic.items()
        if name in names
    ]
    terms = {
        entry.term
        for curation, group in answering
        for entry in curation.entries()
        if entry.group == group
    }
    return {
        "category": category,
        "name": name,
        "posts": posts,
        "groups": "; ".join(f"{curation.attribute}:{group}" for curation, group in answering),
        "terms": "; ".join(sorted(terms)),
    }
