"""Groups and word pairs, as in the files of results/dictionary (see docs/files.md)."""

import csv
import logging
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ..errors import InputError
from .curation import Paired


@dataclass(frozen=True, order=True)
class WordPair:
    """A directed pair: `source` (of `source_group`) may become `target` (of `target_group`).

    The `operator` decides how.
    """

    pair_id: str
    attribute: str
    source_group: str
    target_group: str
    source: str
    target: str
    operator: str = "literal"

    @property
    def name(self) -> str:
        """The pair as `attribute:source>target`."""
        return f"{self.attribute}:{self.source}>{self.target}".replace(" ", "_")


def pairs_of(curations: Mapping[str, Iterable[Paired]]) -> list[WordPair]:
    """Return the word pairs of each operator, sorted by pair_id.

    With several operators, a pair_id reads `attribute:operator:source>target`, as two may have the
    same terms.
    """
    made = {name: build_pairs(paired, operator=name) for name, paired in curations.items()}
    if len(made) == 1:
        return next(iter(made.values()))
    return sorted(
        replace(pair, pair_id=pair.name.replace(":", f":{name}:", 1))
        for name, pairs in made.items()
        for pair in pairs
    )


def build_pairs(curations: Iterable[Paired], *, operator: str = "literal") -> list[WordPair]:
    """Return the distinct word pairs of all attributes for one operator, sorted by pair_id.

    A pair_id reads `attribute:source>target`. Identity pairs and duplicates are dropped with a
    warning that names them.
    """
    pairs: dict[str, WordPair] = {}
    for curation in curations:
        for source, target in curation.pairs():
            groups = source.group, target.group
            pair = WordPair("", curation.attribute, *groups, source.term, target.term, operator)
            # Terms are matched regardless of case.
            key = pair.name.lower()
            if source.term.lower() == target.term.lower() or key in pairs:
                kind = "a duplicate" if key in pairs else "an identity"
                logging.warning("%s: dropped the pair %s, %s", curation.path, pair.name, kind)
                continue
            pairs[key] = replace(pair, pair_id=pair.name)
    return sorted(pairs.values())


def build_groups(
    curations: Iterable[Paired], *, posts: Mapping[tuple[str, str], int]
) -> list[dict[str, str | int]]:
    """Return a row (attribute, group, term, word_class, posts) per term, sorted.

    `posts` has SBIC's counts by (category, group name); a group's count is the sum over the names
    that its curation file lists. Raises `InputError` for a name that SBIC does not have.
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
        for entry in sorted(curation.entries())
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
    return [WordPair(**row) for row in read_csv(path)]


def read_word_classes(path: Path, *, operator: str) -> dict[tuple[str, str], set[str]]:
    """Return the word classes of an operator's terms, by attribute and term.

    They are those in the file results/dictionary/groups.csv.
    """
    classes: dict[tuple[str, str], set[str]] = {}
    for row in read_csv(path):
        if row["operator"] == operator:
            classes.setdefault((row["attribute"], row["term"]), set()).add(row["word_class"])
    return classes


def read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV that the study has written."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_csv(rows: Iterable[Mapping[str, object]], path: Path) -> None:
    """Write `rows`, which share their keys, as CSV with a header and line feeds."""
    rows = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def as_rows(pairs: Iterable[WordPair]) -> list[dict[str, str]]:
    """Return the pairs as the rows of pairs.csv."""
    return [asdict(pair) for pair in pairs]
