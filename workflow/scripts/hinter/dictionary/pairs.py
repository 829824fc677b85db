"""Groups and word pairs as the files in results/dictionary (see docs/files.md)."""

import csv
import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ..errors import InputError
from .curation import Paired


@dataclass(frozen=True, order=True)
class WordPair:
    """A directed pair: `source` (of `source_group`) may become `target` (of `target_group`)."""

    pair_id: str
    attribute: str
    source_group: str
    target_group: str
    source: str
    target: str


def build_pairs(curations: Iterable[Paired]) -> list[WordPair]:
    """Return the distinct word pairs of all attributes, sorted by pair_id.

    A pair_id reads `attribute:source>target`. Identity pairs and duplicates are dropped with a
    warning that names them.
    """
    pairs: dict[str, WordPair] = {}
    for curation in curations:
        for source, target in curation.pairs():
            pair_id = f"{curation.attribute}:{source.term}>{target.term}".replace(" ", "_")
            # Terms are matched in any case.
            key = pair_id.lower()
            if source.term.lower() == target.term.lower() or key in pairs:
                kind = "a duplicate" if key in pairs else "an identity"
                logging.warning("%s: dropped the pair %s, %s", curation.path, pair_id, kind)
                continue
            pairs[key] = WordPair(
                pair_id, curation.attribute, source.group, target.group, source.term, target.term
            )
    return sorted(pairs.values())


def build_groups(
    curations: Iterable[Paired], *, posts: Mapping[tuple[str, str], int]
) -> list[dict[str, str | int]]:
    """Return a row (attribute, group, term, word_class, posts) per term, sorted.

    `posts` holds SBIC's counts by (category, group name); a group's count is the sum over the
    names that its curation file lists. Raises `InputError` for a name that SBIC does not have.
    """
    return [
        {
            "attribute": curation.attribute,
            "group": entry.group,
            "term": entry.term,
            "word_class": entry.word_class,
            "posts": _posts_of(entry.group, curation=curation, posts=posts),
        }
        for curation in sorted(curations, key=lambda curation: curation.attribute)
        for entry in sorted(
            curation.entries(), key=lambda entry: (entry.group, entry.term, entry.word_class)
        )
    ]


def _posts_of(group: str, *, curation: Paired, posts: Mapping[tuple[str, str], int]) -> int:
    total = 0
    for name in curation.sbic[group]:
        counts = [posts.get((category, name), 0) for category in curation.categories]
        if not any(counts):
            raise InputError(
                where=f"{curation.path}, group '{group}'",
                found=f"the SBIC name '{name}'",
                expected=f"a group of SBIC's categories {', '.join(curation.categories)}",
                fix="See the names in data/sbic/group_posts.csv.",
            )
        total += sum(counts)
    return total


def read_pairs(path: Path) -> list[WordPair]:
    """Return the word pairs of results/dictionary/pairs.csv, in the file's order."""
    return [WordPair(**row) for row in _read_rows(path)]


def read_word_classes(path: Path) -> dict[tuple[str, str], set[str]]:
    """Return the word classes in results/dictionary/groups.csv, by attribute and term."""
    classes: dict[tuple[str, str], set[str]] = {}
    for row in _read_rows(path):
        classes.setdefault((row["attribute"], row["term"]), set()).add(row["word_class"])
    return classes


def _read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(rows: Iterable[Mapping[str, object]], path: Path) -> None:
    """Write `rows`, which share their keys, as CSV with a header and line feeds."""
    rows = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def as_rows(pairs: Iterable[WordPair]) -> list[dict[str, str]]:
    """Return the pairs as the rows of pairs.csv."""
    return [asdict(pair) for pair in pairs]
