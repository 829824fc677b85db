"""Sources of resources, served on loopback, and what is fetched of them."""

import hashlib
import io
import os
import tarfile
import time
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hinter.errors import InputError
from hinter.resources import fetch_resource

WHOLE = b"every byte of it\n" * 5000
OTHER = b"other bytes\n"
PIECE, DRIPS = 1 << 16, 400
ENTRY = {"about": "a", "version": "1", "licence": "MIT", "megabytes": 1}


class FileServer(ThreadingHTTPServer):
    """An HTTP server on a free loopback port; it keeps the path and headers of each request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.broken_off: set[str] = set()
        self.refused: set[str] = set()
        self.redirects: dict[str, str] = {}
        self.slow: set[str] = set()
        self.pause_seconds = 0.0
        self.dripped = 0
        self.requests: list[tuple[str, Mapping[str, str]]] = []

    def url(self, path: str = "", *, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server_port}{path}"

    def asked(self) -> list[str]:
        return [path for path, _ in self.requests]


class _Handler(BaseHTTPRequestHandler):
    server: FileServer

    def do_GET(self) -> None:
        self.server.requests.append((self.path, dict(self.headers)))
        path = self.path.partition("?")[0]
        if path in self.server.refused:
            self.send_error(401)
        elif path in self.server.redirects:
            self.send_response(302)
            self.send_header("Location", self.server.redirects[path])
            self.end_headers()
        elif path in self.server.slow:
            self._drip()
        elif path in self.server.files:
            self._send(self.server.files[path], whole=path not in self.server.broken_off)
        else:
            self.send_error(404)

    def _send(self, body: bytes, *, whole: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        sent = body if whole else body[: len(body) // 2]
        with suppress(ConnectionError):
            for start in range(0, len(sent), PIECE):
                self.wfile.write(sent[start : start + PIECE])
                time.sleep(self.server.pause_seconds)

    def _drip(self) -> None:
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            for _ in range(DRIPS):
                self.wfile.write(b"x")
                self.server.dripped += 1
                time.sleep(0.05)

    def log_message(self, *_: Any) -> None:
        """Write nothing to the terminal."""


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def entry_of(files: Mapping[str, bytes], *sources: Mapping[str, str]) -> dict[str, Any]:
    """Return a registry entry as read_registry gives it."""
    return {
        "megabytes": 1,
        "files": {name: [sha256_of(content)] for name, content in files.items()},
        "sources": list(sources),
    }


def https_source(url: str) -> dict[str, str]:
    return {"kind": "https", "url": url}


def fetch(folder: Path, entry: Mapping[str, Any]) -> None:
    """Fetch the resource `sample`."""
    fetch_resource(name="sample", entry=entry, folder=folder)


def failure_of(folder: Path, entry: Mapping[str, Any]) -> str:
    """Return the one line that a user reads when the resource cannot be had."""
    with pytest.raises(InputError) as caught:
        fetch(folder, entry)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("resource sample (data/registry.yaml): found ")
    assert f"put the files into {folder}" in message
    return message


def content_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their names."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def names_in(folder: Path) -> list[str]:
    """Return what lies where the resource belongs: its folder, or temporary ones left behind."""
    return sorted(path.name for path in folder.parent.iterdir())


def zipped(files: Mapping[str, bytes], *, small: bool = False) -> bytes:
    buffer = io.BytesIO()
    packing = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(files: Mapping[str, bytes], *, small: bool = True) -> bytes:
    assert small
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


PACKERS = {"zip": zipped, "whl": zipped, "tgz": tarred, "tar.gz": tarred}


def use_only_index(url: str, *, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip know no index but `url`, and ask it once only."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", url)
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.delenv("PIP_NO_INDEX", raising=False)


def maven_source(repository: str) -> dict[str, str]:
    return {"kind": "maven", "artefact": "org.it:it:1.0", "repository": repository}


FAR_TOO_MUCH = bytes(40_000_000)
