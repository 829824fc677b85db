"""Which of SBIC's names the dictionary covers, and with which terms."""

from collections.abc import Iterable, Mapping

from .curation import Curation


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
