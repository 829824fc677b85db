"""Files inside an archive over HTTPS: `{kind: archive, url: ....zip|.whl|.tgz, prefix: ...}`."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from .https import download

ZIP_SUFFIXES = {".whl", ".zip"}


def fetch(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download the archive and move its files `prefix/name` to `folder/name`."""
    name = PurePosixPath(urlsplit(source["url"]).path).name
    archive = download(source["url"], name=name, folder=folder)
    unpack(archive, prefix=source.get("prefix", ""), names=names, folder=folder)


def unpack(archive: Path, *, prefix: str, names: Sequence[str], folder: Path) -> None:
    """Move the files `prefix/name` of `archive` to `folder/name`."""
    content = folder / ".content"
    if archive.suffix in ZIP_SUFFIXES:
        shutil.unpack_archive(archive, content, format="zip")
    else:
        shutil.unpack_archive(archive, content, filter="data")
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (content / prefix / name).rename(target)
