"""Remove results that a study no longer makes since its configuration changed."""

from collections.abc import Callable, Collection
from pathlib import Path

FOLDERS = (
    *("tables", "verdicts", "predictions", "repeats", "suites", "samples", "grammar"),
    *("comparators", "controls", "mutants", "counts", "occurrences", "corpora"),
    *("exported", "probes", "hits"),
)
"""Folders of results that can be made again from the store, which excludes those of models."""


def remove_leftovers(
    *, results: Path, figures: Path, made: Collection[str], was_made: Callable[[str], object]
) -> list[Path]:
    """Remove the files in a study's folders that an earlier run made and this run did not.

    They would be mistaken for results of this study, whose files are those in `made`. `was_made`
    says whether a run made a file: the user's own files stay. Returns the removed files, sorted.
    """
    files = [path for folder in FOLDERS for path in (results / folder).rglob("*")]
    kept = {Path(path) for path in made}
    left = sorted(
        path
        for path in [*files, *figures.glob("*")]
        if path.is_file() and path not in kept and was_made(str(path))
    )
    for path in left:
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
    return left
