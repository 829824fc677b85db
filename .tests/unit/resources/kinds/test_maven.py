"""Files of a Maven repository: several at a time, each verified."""

import threading
from pathlib import Path
from typing import Any

import pytest
from hinter.resources.kinds import https, maven
from sources import (
    OTHER,
    WHOLE,
    FileServer,
    content_of,
    entry_of,
    failure_of,
    fetch,
    maven_source,
    names_beside,
    sha256_of,
)

pytestmark = pytest.mark.long


@pytest.mark.parametrize("end", ["", "/"])
def test_maven_files_lie_where_the_repository_has_them(
    end: str, server: FileServer, folder: Path
) -> None:
    jars = {f"org/it/part{n}/1.0/part{n}-1.0.jar": WHOLE + bytes(n) for n in range(20)}
    server.files = {f"/maven2/{name}": content for name, content in jars.items()}
    fetch(folder, entry_of(jars, maven_source(server.url(f"/maven2{end}"))))
    assert content_of(folder) == jars
    assert sorted(server.asked()) == sorted(server.files)
    assert names_beside(folder) == ["sample"]


def test_maven_files_come_several_at_a_time(
    server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jars = {f"{n}.jar": WHOLE for n in range(maven.DOWNLOADS_AT_ONCE)}
    server.files = {f"/{name}": content for name, content in jars.items()}
    together = threading.Barrier(len(jars), timeout=20)

    def download(*args: Any, **options: Any) -> Path:
        together.wait()
        return https.download(*args, **options)

    monkeypatch.setattr(maven, "download", download)
    fetch(folder, entry_of(jars, maven_source(server.url())))
    assert content_of(folder) == jars


def test_maven_repository_without_a_file_fails_and_asks_for_few_more(
    server: FileServer, folder: Path
) -> None:
    jars = {f"{n:03}.jar": WHOLE for n in range(200)}
    server.files = {f"/{name}": content for name, content in jars.items() if name != "000.jar"}
    message = failure_of(folder, entry_of(jars, maven_source(server.url())))
    assert f"maven org.it:it:1.0 {server.url()}: HTTPError: 404" in message
    assert server.url("/000.jar") in message
    assert "expected one source that provides 200 files with the registry's sha256" in message
    assert len(server.requests) < len(jars)
    assert names_beside(folder) == []


def test_maven_file_with_other_bytes_refuses_the_source(server: FileServer, folder: Path) -> None:
    server.files = {"/a.jar": WHOLE, "/b.jar": OTHER}
    message = failure_of(
        folder, entry_of({"a.jar": WHOLE, "b.jar": WHOLE}, maven_source(server.url()))
    )
    assert (
        f"wrong sha256 of b.jar: found {sha256_of(OTHER)}, expected {sha256_of(WHOLE)}" in message
    )
    assert names_beside(folder) == []
