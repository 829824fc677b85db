"""A single file over HTTPS: `{kind: https, url: ...}`."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import pooch

from ...job import progress_bar

# Pooch logs advice about the hash of every file, in the middle of the progress bars.
pooch.get_logger().setLevel(logging.WARNING)


def fetch(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download `source["url"]` to the one name in `names`."""
    (name,) = names
    download(source["url"], name=name, folder=folder)


def download(
    url: str,
    *,
    name: str,
    folder: Path,
    headers: Mapping[str, str] | None = None,
    sha256: str | None = None,
    bar: bool = True,
) -> Path:
    """Download `url` to `folder/name`, with a progress bar or without, and return that path.

    Raises `ValueError` when its sha256 is not the one given.
    """
    # Pooch tests the truth of the bar, which fails without a total; pooch then sets the real one.
    progress = progress_bar(total=1, label=f"fetch {name}", unit="B") if bar else False
    downloader = pooch.HTTPDownloader(progressbar=progress, timeout=30, headers=dict(headers or {}))
    return Path(
        pooch.retrieve(url, known_hash=sha256, fname=name, path=folder, downloader=downloader)
    )
