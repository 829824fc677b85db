"""Files over HTTPS: a single file, or files from a model hub or a Maven repository.

- `{kind: https, url: ...}`
- `{kind: hub, repository: ..., revision: ..., type: model}`; gated repositories need the hub's
  access token in the environment (HF_TOKEN).
- `{kind: maven, artefact: group:name:version, repository: https...}`; the files are the jar of the
  artefact and those of all its dependencies, named by their paths in the repository.
"""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pooch
import requests
from huggingface_hub import get_token, hf_hub_url
from tenacity import retry, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from ..job import progress_bar

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
