"""Files of a Maven repository: `{kind: maven, artefact: group:name:version, repository: https...}`.

Files are named by their paths in the repository: the artefact's jar and those of all its
dependencies.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import requests
from tenacity import retry, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from ...job import progress_bar
from .https import download

DOWNLOADS_AT_ONCE = 8


def fetch(source: Mapping[str, str], names: Sequence[str], folder: Path) -> None:
    """Download every file in `names`, several at a time."""
    repository = source["repository"].rstrip("/")

    # With so many requests, one may fail by chance.
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
        # If one fails, those that have not begun are dropped.
        for _ in pool.map(bring, names):
            bar.update()


def _may_pass(error: BaseException) -> bool:
    answer = error.response if isinstance(error, requests.HTTPError) else None
    return answer is None or answer.status_code != requests.codes.not_found
