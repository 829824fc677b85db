"""A single file over HTTPS: `{kind: https, url: ...}`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pooch

from ...job import progress_bar


def fetch(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download `source["url"]` to the one name in `names`."""
    (name,) = names
    download(source["url"], name=name, folder=folder)


def download(
    url: str, *, name: str, folder: Path, headers: Mapping[str, str] | None = None
) -> Path:
    """Download `url` to `folder/name` with a progress bar and return that path."""
    # Pooch asks whether the bar is true, which one of unknown total refuses to answer; then pooch
    # sets the total itself.
    bar = progress_bar(total=1, label=f"fetch {name}", unit="B")
    downloader = pooch.HTTPDownloader(progressbar=bar, timeout=30, headers=dict(headers or {}))
    return Path(
        pooch.retrieve(url, known_hash=None, fname=name, path=folder, downloader=downloader)
    )
