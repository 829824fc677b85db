"""Results that a study made once and makes no more, as its configuration has changed."""

from collections.abc import Callable, Collection
from pathlib import Path

KINDS = (
    *("tables", "verdicts", "predictions", "repeats", "suites", "samples", "grammar"),
    *("comparators", "mutants", "counts", "occurrences", "corpora"),
)
"""Folders of results that can be made again from what the store keeps; no models are among them."""


def remove_leftovers(
    *, results: Path, figures: Path, made: Collection[str], was_made: Callable[[str], object]
) -> list[Path]:
    """Remove the files of a study's folders that a run has made and this one has not.

    They would be read as the study's own beside those in `made`. `was_made` tells whether a run
    made a file: those of the user's stay. Returns what was removed, sorted.
    """
    files = [path for kind in KINDS for path in (results / kind).rglob("*")]
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
