"""Files over HTTPS, of the model hub with a token that nobody else is given, and of Maven."""

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest
import yaml
from hinter.resources import downloads
from sources import (
    ENTRY,
    OTHER,
    WHOLE,
    FileServer,
    content_of,
    entry_of,
    failure_of,
    fetch,
    https_source,
    maven_source,
    names_in,
    sha256_of,
)

pytestmark = pytest.mark.long


def test_https_brings_the_file_as_it_is(server: FileServer, folder: Path) -> None:
    server.files["/data/some.bin"] = WHOLE
    fetch(folder, entry_of({"named.bin": WHOLE}, https_source(server.url("/data/some.bin"))))
    assert content_of(folder) == {"named.bin": WHOLE}
    assert names_in(folder) == ["sample"]


ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = ROOT / "workflow" / "scripts"
TOKEN = "hf_neverShowThisToAnyone"


@pytest.mark.parametrize(
    ("options", "place"), [({}, "/owner/repo"), ({"type": "dataset"}, "/datasets/owner/repo")]
)
def test_hub_is_asked_for_each_file_at_the_pinned_revision(
    options: dict[str, str], place: str, hub: FileServer, folder: Path
) -> None:
    wanted = {"config.json": OTHER, "onnx/model.bin": WHOLE}
    hub.files = {f"{place}/resolve/abc123/{name}": body for name, body in wanted.items()}
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123", **options}
    fetch(folder, entry_of(wanted, source))
    assert content_of(folder) == wanted
    assert hub.asked() == list(hub.files)


@pytest.mark.parametrize("answer", ["served", "refused", "wrong"])
def test_token_goes_to_the_hub_and_into_no_log(
    answer: str, server: FileServer, tmp_path: Path, folder: Path
) -> None:
    place = "/owner/gated/resolve/abc123/model.bin"
    server.files[place] = OTHER if answer == "wrong" else WHOLE
    server.refused = {place} if answer == "refused" else set()
    source = {"kind": "hub", "repository": "owner/gated", "revision": "abc123"}
    files = {"model.bin": sha256_of(WHOLE)}
    entry = ENTRY | {"files": files, "sources": [source]}
    registry, log = tmp_path / "registry.yaml", tmp_path / "job.log"
    registry.write_text(yaml.safe_dump({"sample": entry}), encoding="utf-8")
    program = (
        "import sys, fetch_resource, hinter.job\n"
        "log, registry, folder = sys.argv[1:]\n"
        "with hinter.job.logged_to(log):\n"
        "    fetch_resource.main(registry=registry, name='sample', folder=folder)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, log, registry, folder],
        env=os.environ
        | {"HF_ENDPOINT": server.url(), "HF_TOKEN": TOKEN, "PYTHONPATH": str(SCRIPTS)},
        capture_output=True,
        text=True,
        check=False,
    )
    written = log.read_text(encoding="utf-8")
    ((asked, headers),) = server.requests
    assert (asked, headers["Authorization"]) == (place, f"Bearer {TOKEN}")
    assert TOKEN not in written + done.stdout + done.stderr
    assert "owner/gated" in written
    assert (done.returncode, folder.is_dir()) == ((0, True) if answer == "served" else (1, False))


def test_hub_without_a_token_is_asked_without_one(
    hub: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(huggingface_hub.constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
    hub.files["/owner/repo/resolve/abc123/model.bin"] = WHOLE
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123"}
    fetch(folder, entry_of({"model.bin": WHOLE}, source))
    ((_, headers),) = hub.requests
    assert "Authorization" not in headers


def test_token_does_not_follow_a_redirect_to_another_host(
    hub: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    caplog.set_level(logging.DEBUG)
    place = "/owner/repo/resolve/abc123/model.bin"
    hub.redirects[place] = hub.url("/storage/model.bin", host="localhost")
    hub.files["/storage/model.bin"] = WHOLE
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123"}
    fetch(folder, entry_of({"model.bin": WHOLE}, source))
    (_, first), (_, second) = hub.requests
    assert first["Authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in str(second)
    assert TOKEN not in caplog.text


@pytest.mark.parametrize("end", ["", "/"])
def test_maven_files_lie_where_the_repository_has_them(
    end: str, server: FileServer, folder: Path
) -> None:
    jars = {f"org/it/part{n}/1.0/part{n}-1.0.jar": WHOLE + bytes(n) for n in range(20)}
    server.files = {f"/maven2/{name}": content for name, content in jars.items()}
    fetch(folder, entry_of(jars, maven_source(server.url(f"/maven2{end}"))))
    assert content_of(folder) == jars
    assert sorted(server.asked()) == sorted(server.files)
    assert names_in(folder) == ["sample"]


def test_maven_files_come_several_at_a_time(
    server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jars = {f"{n}.jar": WHOLE for n in range(downloads.DOWNLOADS_AT_ONCE)}
    server.files = {f"/{name}": content for name, content in jars.items()}
    together = threading.Barrier(len(jars), timeout=20)

    download_one = downloads.download

    def download(*args: Any, **options: Any) -> Path:
        together.wait()
        return download_one(*args, **options)

    monkeypatch.setattr(downloads, "download", download)
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
    assert names_in(folder) == []


def test_maven_file_with_other_bytes_refuses_the_source(server: FileServer, folder: Path) -> None:
    server.files = {"/a.jar": WHOLE, "/b.jar": OTHER}
    message = failure_of(
        folder, entry_of({"a.jar": WHOLE, "b.jar": WHOLE}, maven_source(server.url()))
    )
    assert (
        f"wrong sha256 of b.jar: found {sha256_of(OTHER)}, expected {sha256_of(WHOLE)}" in message
    )
    assert names_in(folder) == []
