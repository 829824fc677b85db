"""Files inside an archive over HTTPS: `{kind: archive, url: ....zip|.whl|.tgz, prefix, sha256}`.

With a sha256 the archive itself is verified, and all its files below the prefix are taken.
"""

import tarfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from ..locks import write_lock
from .https import download

ZIP_SUFFIXES = {".whl", ".zip"}


def fetch(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download the archive and move its files `prefix/name` to `folder/name`.

    From an archive with a sha256, all files are taken, whatever `names` says; `lock_name` lists
    them.
    """
    name = PurePosixPath(urlsplit(source["url"]).path).name
    archive = download(source["url"], name=name, folder=folder, sha256=source.get("sha256"))
    if "sha256" in source:
        prefix = PurePosixPath(source.get("prefix", ""))
        content = unpack(archive, folder=folder, wanted=lambda path: path.is_relative_to(prefix))
        content /= prefix
        names = [path.relative_to(content).as_posix() for path in _files_below(content)]
        write_lock(folder / lock_name(source), names=names, folder=content)
        take(names, content=content, folder=folder)
    else:
        take_named(names, archive=archive, prefix=source.get("prefix", ""), folder=folder)


def lock_name(source: Mapping[str, str]) -> str:
    """Return the name of the lock that lists all files of an archive with a sha256."""
    return f".{source['sha256']}.sha256"


def unpack(archive: Path, *, folder: Path, wanted: Callable[[PurePosixPath], bool]) -> Path:
    """Unpack the `wanted` members into a new folder inside `folder`, and return that folder."""
    content = folder / ".content"
    content.mkdir()
    if archive.suffix in ZIP_SUFFIXES:
        with zipfile.ZipFile(archive) as opened:
            names = [name for name in opened.namelist() if wanted(PurePosixPath(name))]
            opened.extractall(content, members=names)
    else:
        with tarfile.open(archive) as opened:
            members = [member for member in opened if wanted(PurePosixPath(member.name))]
            opened.extractall(content, members=members, filter="data")
    return content


def take_named(names: Sequence[str], *, archive: Path, prefix: str, folder: Path) -> None:
    """Unpack only the files `prefix/name` of an archive, to `folder/name`."""
    paths = {PurePosixPath(prefix, name) for name in names}
    content = unpack(archive, folder=folder, wanted=paths.__contains__)
    take(names, content=content / prefix, folder=folder)


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
