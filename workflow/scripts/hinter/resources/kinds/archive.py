"""Files inside an archive over HTTPS: `{kind: archive, url: ....zip|.whl|.tgz, prefix, sha256}`.

With a sha256 the archive itself is verified, and all of it below the prefix is taken.
"""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from ..locks import write_lock
from .https import download

ZIP_SUFFIXES = {".whl", ".zip"}


def fetch(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download the archive and move its files `prefix/name` to `folder/name`.

    The files of an archive with a sha256 are all it has, whatever `names`; `lock_name` lists them.
    """
    name = PurePosixPath(urlsplit(source["url"]).path).name
    archive = download(source["url"], name=name, folder=folder, sha256=source.get("sha256"))
    content = unpack(archive, folder=folder) / source.get("prefix", "")
    if "sha256" in source:
        names = [path.relative_to(content).as_posix() for path in _files_below(content)]
        write_lock(folder / lock_name(source), names=names, folder=content)
    take(names, content=content, folder=folder)


def lock_name(source: Mapping[str, str]) -> str:
    """Return the name of the lock that lists all files of an archive with a sha256."""
    return f".{source['sha256']}.sha256"


def unpack(archive: Path, *, folder: Path) -> Path:
    """Unpack `archive` into a folder of its own in `folder` and return that folder."""
    content = folder / ".content"
    if archive.suffix in ZIP_SUFFIXES:
        shutil.unpack_archive(archive, content, format="zip")
    else:
        shutil.unpack_archive(archive, content, filter="data")
    return content


def take(names: Iterable[str], *, content: Path, folder: Path) -> None:
    """Move the files `content/name` to `folder/name`."""
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (content / name).rename(target)


def _files_below(content: Path) -> list[Path]:
    files = [path for path in content.rglob("*") if path.is_file()]
    if not files:
        raise FileNotFoundError(f"the archive has no files below {content.name}")
    return files
