"""Find the files that a study names, and remove those that it no longer makes.

What it names is in its working folder, or in the folder of the workflow.
"""

import glob
from collections.abc import Callable, Collection
from pathlib import Path

HOME = Path(__file__).resolve().parents[3]
"""The folder of the workflow, which holds its configuration and data."""
FOLDERS = (
    *("tables", "verdicts", "predictions", "repeats", "suites", "samples", "grammar"),
    *("comparators", "controls", "mutants", "counts", "occurrences", "corpora"),
    *("exported", "probes", "hits"),
)
"""Folders of results that can be made again from the store, which excludes those of models."""


def locate(path: str) -> str:
    """Return `path`, or the same path in the workflow's folder if it exists only there."""
    at_home = str(HOME / path)
    return at_home if files_at(at_home) and not files_at(path) else path


def files_at(path: str) -> list[str]:
    """Return the file or folder at `path` or, if it is a pattern, all matches, sorted."""
    if Path(path).exists():
        return [path]
    # Path.glob does not accept absolute patterns.
    return sorted(glob.glob(path, recursive=True))  # noqa: PTH207


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
