"""Resources come from real servers, an index and archives; nothing unverified is ever kept."""

import hashlib
import io
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest
import yaml
from hinter.errors import InputError
from hinter.resources import bounds, fetch_resource, read_registry
from hinter.resources.kinds import KINDS, https, maven

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = ROOT / "workflow" / "scripts"
WHOLE = b"every byte of it\n" * 5000
OTHER = b"other bytes\n"
PIECE, DRIPS = 1 << 16, 400
TOKEN = "hf_neverShowThisToAnyone"
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


@pytest.fixture
def server() -> Iterator[FileServer]:
    with FileServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def hub(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> FileServer:
    """The server in the place of the model hub."""
    template = server.url("/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", server.url())
    monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    return server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "resources" / "sample"


@pytest.fixture
def closed_port() -> int:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _entry(files: Mapping[str, bytes], *sources: Mapping[str, str]) -> dict[str, Any]:
    """A registry entry as read_registry gives it."""
    return {
        "megabytes": 1,
        "files": {name: [_sha256(content)] for name, content in files.items()},
        "sources": list(sources),
    }


def _https(url: str) -> dict[str, str]:
    return {"kind": "https", "url": url}


def _fetch(folder: Path, entry: Mapping[str, Any]) -> None:
    fetch_resource(name="sample", entry=entry, folder=folder)


def _failure(folder: Path, entry: Mapping[str, Any]) -> str:
    """The one line that a user reads when the resource cannot be had."""
    with pytest.raises(InputError) as caught:
        _fetch(folder, entry)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("resource sample (data/registry.yaml): found ")
    assert f"put the files into {folder}" in message
    return message


def _content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _beside(folder: Path) -> list[str]:
    """What lies where the resource belongs: its folder, or temporary ones left behind."""
    return sorted(path.name for path in folder.parent.iterdir())


def _zip(files: Mapping[str, bytes], *, small: bool = False) -> bytes:
    buffer = io.BytesIO()
    packing = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _tgz(files: Mapping[str, bytes], *, small: bool = True) -> bytes:
    assert small
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


PACKERS = {"zip": _zip, "whl": _zip, "tgz": _tgz, "tar.gz": _tgz}


# The source kinds.


def test_https_brings_the_file_as_it_is(server: FileServer, folder: Path) -> None:
    server.files["/data/some.bin"] = WHOLE
    _fetch(folder, _entry({"named.bin": WHOLE}, _https(server.url("/data/some.bin"))))
    assert _content(folder) == {"named.bin": WHOLE}
    assert _beside(folder) == ["sample"]


@pytest.mark.parametrize("suffix", PACKERS)
def test_archive_brings_only_the_named_files_of_its_prefix(
    suffix: str, server: FileServer, folder: Path
) -> None:
    wanted = {"model.bin": WHOLE, "vocab/words.txt": OTHER}
    packed = {f"package/v1/{name}": content for name, content in wanted.items()}
    server.files[f"/it.{suffix}"] = PACKERS[suffix](packed | {"package/setup.py": b"raise"})
    source = {"kind": "archive", "url": server.url(f"/it.{suffix}"), "prefix": "package/v1"}
    _fetch(folder, _entry(wanted, source))
    assert _content(folder) == wanted
    assert _beside(folder) == ["sample"]


def test_archive_may_stand_behind_a_query(server: FileServer, folder: Path) -> None:
    server.files["/it.zip"] = _zip({"a.txt": WHOLE})
    source = {"kind": "archive", "url": server.url("/it.zip?download=1")}
    _fetch(folder, _entry({"a.txt": WHOLE}, source))
    assert _content(folder) == {"a.txt": WHOLE}


@pytest.mark.parametrize("suffix", ["zip", "tgz"])
def test_archive_writes_nothing_outside_its_folder(
    suffix: str, server: FileServer, folder: Path, tmp_path: Path
) -> None:
    files = {"a.txt": WHOLE, "../../evil.txt": OTHER, "../../../evil.txt": OTHER}
    server.files[f"/it.{suffix}"] = PACKERS[suffix](files)
    source = {"kind": "archive", "url": server.url(f"/it.{suffix}")}
    _failure(folder, _entry({"a.txt": WHOLE, "b.txt": OTHER}, source))
    assert list(tmp_path.rglob("evil.txt")) == []
    assert _beside(folder) == []


def test_archive_without_a_named_file_fails_and_names_it(server: FileServer, folder: Path) -> None:
    server.files["/it.zip"] = _zip({"a.txt": WHOLE})
    source = {"kind": "archive", "url": server.url("/it.zip")}
    assert "b.txt" in _failure(folder, _entry({"a.txt": WHOLE, "b.txt": OTHER}, source))
    assert _beside(folder) == []


@pytest.mark.parametrize(
    ("options", "place"), [({}, "/owner/repo"), ({"type": "dataset"}, "/datasets/owner/repo")]
)
def test_hub_is_asked_for_each_file_at_the_pinned_revision(
    options: dict[str, str], place: str, hub: FileServer, folder: Path
) -> None:
    wanted = {"config.json": OTHER, "onnx/model.bin": WHOLE}
    hub.files = {f"{place}/resolve/abc123/{name}": body for name, body in wanted.items()}
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123", **options}
    _fetch(folder, _entry(wanted, source))
    assert _content(folder) == wanted
    assert hub.asked() == list(hub.files)


@pytest.mark.parametrize("answer", ["served", "refused", "wrong"])
def test_token_goes_to_the_hub_and_into_no_log(
    answer: str, server: FileServer, tmp_path: Path, folder: Path
) -> None:
    place = "/owner/gated/resolve/abc123/model.bin"
    server.files[place] = OTHER if answer == "wrong" else WHOLE
    server.refused = {place} if answer == "refused" else set()
    source = {"kind": "hub", "repository": "owner/gated", "revision": "abc123"}
    files = {"model.bin": _sha256(WHOLE)}
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
    _fetch(folder, _entry({"model.bin": WHOLE}, source))
    ((_, headers),) = hub.requests
    assert "Authorization" not in headers


def test_token_does_not_follow_a_redirect_to_another_host(
    hub: FileServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    caplog.set_level(logging.DEBUG)
    place = "/owner/repo/resolve/abc123/model.bin"
    hub.redirects[place] = hub.url("/storage/model.bin", host="localhost")
    hub.files["/storage/model.bin"] = WHOLE
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123"}
    _fetch(folder, _entry({"model.bin": WHOLE}, source))
    (_, first), (_, second) = hub.requests
    assert first["Authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in str(second)
    assert TOKEN not in caplog.text


def _use_only_index(url: str, *, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip know no index but `url`, and ask it once only."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", url)
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.delenv("PIP_NO_INDEX", raising=False)


def _wheel(*, package: str, requires: Sequence[str], files: Mapping[str, bytes]) -> bytes:
    info = f"{package}-1.0.dist-info"
    needs = "".join(f"Requires-Dist: {name}\n" for name in requires)
    about = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n{needs}"
    tags = "Wheel-Version: 1.0\nGenerator: none\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    parts = {"METADATA": about, "WHEEL": tags, "RECORD": ""}
    return _zip(dict(files) | {f"{info}/{part}": text.encode() for part, text in parts.items()})


def test_wheel_is_opened_without_being_run_and_without_its_dependencies(
    server: FileServer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use_only_index(server.url("/simple"), monkeypatch=monkeypatch)
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w').close()\n".encode()
    files = {"sample_part/__init__.py": code, "setup.py": code, "sample_part/data/a.txt": WHOLE}
    name = "sample_part-1.0-py3-none-any.whl"
    server.files = {
        "/simple/sample-part/": f'<a href="/{name}">{name}</a>'.encode(),
        f"/{name}": _wheel(package="sample_part", requires=["sample-missing"], files=files),
    }
    source = {
        "kind": "wheel",
        "package": "sample-part",
        "version": "1.0",
        "prefix": "sample_part/data",
    }
    _fetch(folder, _entry({"a.txt": WHOLE}, source))
    assert _content(folder) == {"a.txt": WHOLE}
    assert _beside(folder) == ["sample"]
    assert server.asked() == ["/simple/sample-part/", f"/{name}"]
    assert not ran.exists()


def test_wheel_of_the_package_index_is_not_installed(folder: Path) -> None:
    installed = {part.name for part in metadata.distributions()}
    # A small pure-Python wheel that depends on a compiled one.
    source = {"kind": "wheel", "package": "aiosignal", "version": "1.3.2", "prefix": "aiosignal"}
    sha256 = "d6822b465ea4369a85877d9eec77cc15b315ff7e6ff2ca892457e7b8a826b445"
    _fetch(folder, {"megabytes": 1, "files": {"__init__.py": [sha256]}, "sources": [source]})
    assert list(_content(folder)) == ["__init__.py"]
    assert _beside(folder) == ["sample"]
    assert {part.name for part in metadata.distributions()} == installed
    assert "aiosignal" not in sys.modules


def test_wheel_that_the_index_lacks_is_named(
    server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use_only_index(server.url("/simple"), monkeypatch=monkeypatch)
    source = {"kind": "wheel", "package": "sample-part", "version": "1.0"}
    message = _failure(folder, _entry({"a.txt": WHOLE}, source))
    assert "wheel sample-part 1.0" in message
    assert "No matching distribution found for sample-part==1.0" in message
    assert _beside(folder) == []


def test_unreachable_index_is_told_as_the_cause(
    closed_port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use_only_index(f"http://127.0.0.1:{closed_port}/simple", monkeypatch=monkeypatch)
    monkeypatch.setenv("PIP_RETRIES", "1")
    source = {"kind": "wheel", "package": "sample-part", "version": "1.0"}
    message = _failure(folder, _entry({"a.txt": WHOLE}, source))
    assert "Connection refused" in message
    assert "No matching distribution found for sample-part==1.0" in message
    assert _beside(folder) == []


def _maven(repository: str) -> dict[str, str]:
    return {"kind": "maven", "artefact": "org.it:it:1.0", "repository": repository}


@pytest.mark.parametrize("end", ["", "/"])
def test_maven_files_lie_where_the_repository_has_them(
    end: str, server: FileServer, folder: Path
) -> None:
    jars = {f"org/it/part{n}/1.0/part{n}-1.0.jar": WHOLE + bytes(n) for n in range(20)}
    server.files = {f"/maven2/{name}": content for name, content in jars.items()}
    _fetch(folder, _entry(jars, _maven(server.url(f"/maven2{end}"))))
    assert _content(folder) == jars
    assert sorted(server.asked()) == sorted(server.files)
    assert _beside(folder) == ["sample"]


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
    _fetch(folder, _entry(jars, _maven(server.url())))
    assert _content(folder) == jars


def test_maven_repository_without_a_file_fails_and_asks_for_few_more(
    server: FileServer, folder: Path
) -> None:
    jars = {f"{n:03}.jar": WHOLE for n in range(200)}
    server.files = {f"/{name}": content for name, content in jars.items() if name != "000.jar"}
    message = _failure(folder, _entry(jars, _maven(server.url())))
    assert f"maven org.it:it:1.0 {server.url()}: HTTPError: 404" in message
    assert server.url("/000.jar") in message
    assert "expected one source that provides 200 files with the registry's sha256" in message
    assert len(server.requests) < len(jars)
    assert _beside(folder) == []


def test_maven_file_with_other_bytes_refuses_the_source(server: FileServer, folder: Path) -> None:
    server.files = {"/a.jar": WHOLE, "/b.jar": OTHER}
    message = _failure(folder, _entry({"a.jar": WHOLE, "b.jar": WHOLE}, _maven(server.url())))
    assert f"wrong sha256 of b.jar: found {_sha256(OTHER)}, expected {_sha256(WHOLE)}" in message
    assert _beside(folder) == []


# Bounds in bytes and in time.

FAR_TOO_MUCH = bytes(40_000_000)


def _of_every_kind(server: FileServer, content: bytes) -> dict[str, dict[str, str]]:
    """Have `content` served as each kind of source, whose one file is a.txt, and return them."""
    wheel = "sample_part-1.0-py3-none-any.whl"
    paths = ["/a.txt", "/owner/repo/resolve/abc123/a.txt", "/a.zip", f"/{wheel}"]
    server.files = dict.fromkeys(paths, content)
    server.files["/simple/sample-part/"] = f'<a href="/{wheel}">{wheel}</a>'.encode()
    return {
        "https": _https(server.url("/a.txt")),
        "archive": {"kind": "archive", "url": server.url("/a.zip")},
        "hub": {"kind": "hub", "repository": "owner/repo", "revision": "abc123"},
        "maven": _maven(server.url()),
        "wheel": {"kind": "wheel", "package": "sample-part", "version": "1.0"},
    }


@pytest.mark.parametrize("kind", KINDS)
def test_source_that_sends_far_more_than_the_registry_says_is_cut_off(
    kind: str, hub: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use_only_index(hub.url("/simple"), monkeypatch=monkeypatch)
    source = _of_every_kind(hub, FAR_TOO_MUCH)[kind]
    # No source is done before anybody looks.
    hub.pause_seconds = bounds.GLANCE_SECONDS / 20
    message = _failure(folder, _entry({"a.txt": WHOLE}, source))
    assert re.search(
        r": it takes more than (2|6) MB \(see `megabytes` in the registry\); ", message
    )
    assert _beside(folder) == []


@pytest.mark.parametrize("kind", KINDS)
def test_source_that_hardly_sends_anything_is_given_up(
    kind: str, hub: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use_only_index(hub.url("/simple"), monkeypatch=monkeypatch)
    monkeypatch.setattr(bounds, "SECONDS", 4.0)
    source = _of_every_kind(hub, WHOLE)[kind]
    hub.slow = {path for path in hub.files if path.endswith(("a.txt", ".zip", ".whl"))}
    message = _failure(folder, _entry({"a.txt": WHOLE}, source))
    assert ": less than 100 kB came in 4 seconds; " in message
    assert hub.dripped < DRIPS
    assert _beside(folder) == []


def test_a_source_has_time_to_read_again_what_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of large files the sha256 takes long on a slow disk, and nothing comes meanwhile."""
    monkeypatch.setattr(bounds, "SECONDS", 1.0)
    monkeypatch.setattr(bounds, "READ_BYTES_PER_SECOND", 1e6)

    def fetch(seconds: float) -> None:
        (tmp_path / "a").write_bytes(bytes(3_000_000))
        time.sleep(seconds)

    for seconds, failure in [(2, None), (30, "less than 100 kB came in 4 seconds")]:
        told = bounds.within_bounds(partial(fetch, seconds), folder=tmp_path, most_bytes=10_000_000)
        assert told == failure


@pytest.mark.parametrize("kind", ["https", "wheel"])
def test_a_fetch_that_is_killed_asks_for_nothing_more(
    kind: str, server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _use_only_index(server.url("/simple"), monkeypatch=monkeypatch)
    source = _of_every_kind(server, WHOLE)[kind]
    server.slow = {path for path in server.files if path.endswith(("a.txt", ".whl"))}
    entry = _entry({"a.txt": WHOLE}, source)
    program = (
        "import sys\nfrom pathlib import Path\nfrom hinter.resources import fetch_resource\n"
        f"fetch_resource(name='sample', entry={entry!r}, folder=Path({str(folder)!r}))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=SCRIPTS) as process:
        while not server.dripped:
            time.sleep(0.05)
        process.kill()
    time.sleep(2)
    dripped = server.dripped
    time.sleep(1)
    assert dripped == server.dripped < DRIPS


@pytest.mark.parametrize("suffix", PACKERS)
def test_archive_that_unpacks_to_far_more_than_the_registry_says_is_refused(
    suffix: str, server: FileServer, folder: Path
) -> None:
    server.files[f"/it.{suffix}"] = PACKERS[suffix]({"a.txt": FAR_TOO_MUCH}, small=True)
    source = {"kind": "archive", "url": server.url(f"/it.{suffix}")}
    message = _failure(folder, _entry({"a.txt": WHOLE}, source))
    assert ": it takes more than 6 MB" in message
    assert _beside(folder) == []


def test_nothing_but_the_named_files_of_an_archive_is_unpacked(
    server: FileServer, folder: Path
) -> None:
    server.files["/it.tgz"] = _tgz({"it/a.txt": WHOLE, "it/b.txt": FAR_TOO_MUCH})
    source = {"kind": "archive", "url": server.url("/it.tgz"), "prefix": "it"}
    _fetch(folder, _entry({"a.txt": WHOLE}, source))
    assert _content(folder) == {"a.txt": WHOLE}


def test_an_archive_may_be_larger_than_what_is_taken_of_it(
    server: FileServer, folder: Path
) -> None:
    server.files["/it.zip"] = _zip({"a.txt": WHOLE, "b.txt": FAR_TOO_MUCH})
    source = {"kind": "archive", "url": server.url("/it.zip")}
    assert "it takes more than 6 MB" in _failure(folder, _entry({"a.txt": WHOLE}, source))
    entry = _entry({"a.txt": WHOLE}, source | {"megabytes": 40})
    _fetch(folder, entry)
    assert _content(folder) == {"a.txt": WHOLE}


# Archives verified as a whole.

PACKED = {"it/server.jar": WHOLE, "it/libs/part.jar": OTHER, "it/.rules": b"", "NOTICE": OTHER}
UNPACKED = {"server.jar": WHOLE, "libs/part.jar": OTHER, ".rules": b""}


@pytest.fixture
def whole(server: FileServer) -> dict[str, Any]:
    """Return an entry whose archive, which the server has, brings other files than a repository."""
    server.files["/it.zip"] = _zip(PACKED)
    server.files["/org/server.jar"] = WHOLE
    archive = {
        "kind": "archive",
        "url": server.url("/it.zip"),
        "prefix": "it",
        "sha256": _sha256(server.files["/it.zip"]),
    }
    return _entry({"org/server.jar": WHOLE}, archive, _maven(server.url()))


def _visible(folder: Path) -> dict[str, bytes]:
    """Return the content of the folder without the list of an archive's files."""
    return {
        name: content for name, content in _content(folder).items() if not name.endswith("sha256")
    }


def test_verified_archive_is_taken_whole(
    server: FileServer, folder: Path, whole: dict[str, Any]
) -> None:
    _fetch(folder, whole)
    assert _visible(folder) == UNPACKED
    assert server.asked() == ["/it.zip"]
    assert _beside(folder) == ["sample"]
    _fetch(folder, whole)
    assert server.asked() == ["/it.zip"]


@pytest.mark.parametrize("damaged", [b"", None])
def test_damaged_file_of_a_verified_archive_is_fetched_anew(
    damaged: bytes | None, server: FileServer, folder: Path, whole: dict[str, Any]
) -> None:
    _fetch(folder, whole)
    if damaged is None:
        (folder / "libs" / "part.jar").unlink()
    else:
        (folder / "libs" / "part.jar").write_bytes(damaged)
    _fetch(folder, whole)
    assert _visible(folder) == UNPACKED
    assert server.asked() == ["/it.zip"] * 2


def test_folder_of_another_archive_is_fetched_anew(
    server: FileServer, folder: Path, whole: dict[str, Any]
) -> None:
    _fetch(folder, whole)
    server.files["/it.zip"] = _zip({"it/server.jar": OTHER})
    whole["sources"][0]["sha256"] = _sha256(server.files["/it.zip"])
    _fetch(folder, whole)
    assert _visible(folder) == {"server.jar": OTHER}


def test_archive_with_another_sha256_leads_to_the_next_source(
    server: FileServer, folder: Path, whole: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    server.files["/it.zip"] = _zip(PACKED | {"it/server.jar": OTHER})
    _fetch(folder, whole)
    assert _content(folder) == {"org/server.jar": WHOLE}
    assert server.asked() == ["/it.zip", "/org/server.jar"]
    assert f"archive {server.url('/it.zip')}: ValueError: SHA256 hash" in caplog.text
    assert _sha256(server.files["/it.zip"]) in caplog.text
    assert whole["sources"][0]["sha256"] in caplog.text
    assert _beside(folder) == ["sample"]
    # The files of the next source are those of the registry, and here now.
    server.requests.clear()
    _fetch(folder, whole)
    assert server.requests == []


def test_verified_archive_without_files_below_its_prefix_is_refused(
    server: FileServer, folder: Path, whole: dict[str, Any]
) -> None:
    whole["sources"] = [whole["sources"][0] | {"prefix": "other"}]
    assert "the archive has no files below other" in _failure(folder, whole)
    assert _beside(folder) == []


# Sources in order, each verified.


def test_second_source_is_used_where_the_first_has_nothing(
    server: FileServer, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.files["/second"] = WHOLE
    sources = [_https(server.url(path)) for path in ("/first", "/second", "/third")]
    with caplog.at_level(logging.INFO):
        _fetch(folder, _entry({"a.txt": WHOLE}, *sources))
    assert _content(folder) == {"a.txt": WHOLE}
    assert server.asked() == ["/first", "/second"]
    assert f"resource sample came from https {server.url('/second')}" in caplog.text
    assert _beside(folder) == ["sample"]


def test_source_with_other_bytes_is_passed_over(server: FileServer, folder: Path) -> None:
    server.files = {"/first": OTHER, "/second": WHOLE}
    sources = [_https(server.url(path)) for path in server.files]
    _fetch(folder, _entry({"a.txt": WHOLE}, *sources))
    assert _content(folder) == {"a.txt": WHOLE}
    assert _beside(folder) == ["sample"]


def test_one_wrong_file_of_several_refuses_the_source(hub: FileServer, folder: Path) -> None:
    place = "/owner/repo/resolve/abc123"
    hub.files = {f"{place}/a.txt": WHOLE, f"{place}/b.txt": OTHER}
    source = {"kind": "hub", "repository": "owner/repo", "revision": "abc123"}
    message = _failure(folder, _entry({"a.txt": WHOLE, "b.txt": WHOLE}, source))
    assert f"wrong sha256 of b.txt: found {_sha256(OTHER)}, expected {_sha256(WHOLE)}" in message
    assert _beside(folder) == []


def test_wrong_bytes_everywhere_are_one_clear_line(server: FileServer, folder: Path) -> None:
    server.files = {"/first": OTHER, "/second": b"neither"}
    sources = [_https(server.url(path)) for path in server.files]
    message = _failure(folder, _entry({"a.txt": WHOLE}, *sources))
    for path, content in server.files.items():
        assert (
            f"https {server.url(path)}: wrong sha256 of a.txt: found {_sha256(content)}, "
            f"expected {_sha256(WHOLE)}"
        ) in message
    assert "expected one source that provides a.txt with the registry's sha256" in message
    assert "run `snakemake resources`" in message
    assert _beside(folder) == []


@pytest.mark.parametrize("sent", [WHOLE, OTHER])
def test_any_listed_sha256_is_accepted(sent: bytes, server: FileServer, folder: Path) -> None:
    server.files["/a"] = sent
    entry = _entry({"a.txt": WHOLE}, _https(server.url("/a")))
    entry["files"]["a.txt"].append(_sha256(OTHER))
    _fetch(folder, entry)
    assert _content(folder) == {"a.txt": sent}


def test_sha256_beside_the_list_is_refused(server: FileServer, folder: Path) -> None:
    server.files["/a"] = b"neither"
    entry = _entry({"a.txt": WHOLE}, _https(server.url("/a")))
    entry["files"]["a.txt"].append(_sha256(OTHER))
    assert f"expected {_sha256(WHOLE)} or {_sha256(OTHER)}" in _failure(folder, entry)
    assert _beside(folder) == []


def test_file_without_a_sha256_is_taken_as_it_comes_and_must_come(
    hub: FileServer, tmp_path: Path, folder: Path
) -> None:
    files = {"vocab.json": None, "model.bin": _sha256(WHOLE)}
    source = {"kind": "hub", "repository": "owner/repo", "revision": "a" * 40}
    entry = ENTRY | {"files": files, "sources": [source]}
    (tmp_path / "registry.yaml").write_text(yaml.safe_dump({"sample": entry}), encoding="utf-8")
    read = read_registry(tmp_path / "registry.yaml")["sample"]
    place = f"/owner/repo/resolve/{'a' * 40}"
    hub.files = {f"{place}/model.bin": WHOLE}
    assert "vocab.json" in _failure(folder, read)
    assert not folder.exists()
    hub.files[f"{place}/vocab.json"] = OTHER
    _fetch(folder, read)
    assert _content(folder) == {"vocab.json": OTHER, "model.bin": WHOLE}
    # Where there is no network any more.
    hub.files = {}
    _fetch(folder, read)
    (folder / "vocab.json").unlink()
    assert "vocab.json" in _failure(folder, read)


def test_answer_that_breaks_off_is_not_taken_even_if_its_half_is_expected(
    server: FileServer, folder: Path
) -> None:
    server.files["/a"] = WHOLE
    server.broken_off = {"/a"}
    half = WHOLE[: len(WHOLE) // 2]
    message = _failure(folder, _entry({"a.txt": half}, _https(server.url("/a"))))
    assert f"{len(half)} bytes read" in message
    assert _beside(folder) == []


@pytest.mark.parametrize("kind", ["https", "archive", "hub", "maven"])
def test_answer_that_breaks_off_leads_to_the_next_source(
    kind: str, hub: FileServer, folder: Path
) -> None:
    place = "/owner/repo/resolve/abc123/a.txt"
    hub.files = {"/a": WHOLE, "/a.zip": _zip({"a.txt": WHOLE}), place: WHOLE, "/a.txt": WHOLE}
    hub.files["/whole"] = WHOLE
    hub.broken_off = set(hub.files) - {"/whole"}
    first = {
        "https": _https(hub.url("/a")),
        "archive": {"kind": "archive", "url": hub.url("/a.zip")},
        "hub": {"kind": "hub", "repository": "owner/repo", "revision": "abc123"},
        "maven": _maven(hub.url()),
    }[kind]
    _fetch(folder, _entry({"a.txt": WHOLE}, first, _https(hub.url("/whole"))))
    assert _content(folder) == {"a.txt": WHOLE}
    # One file in many may fail by chance, and is asked for three times.
    assert len(hub.requests) == (4 if kind == "maven" else 2)
    assert _beside(folder) == ["sample"]


# What is there already.


def test_complete_folder_is_left_alone(server: FileServer, folder: Path) -> None:
    server.files["/a"] = WHOLE
    entry = _entry({"a.txt": WHOLE}, _https(server.url("/a")))
    _fetch(folder, entry)
    before = [path.stat().st_mtime_ns for path in (folder, folder / "a.txt")]
    server.requests.clear()
    _fetch(folder, entry)
    assert [path.stat().st_mtime_ns for path in (folder, folder / "a.txt")] == before
    assert server.requests == []


def test_files_put_there_by_hand_need_no_network(closed_port: int, folder: Path) -> None:
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.txt").write_bytes(WHOLE)
    url = f"http://127.0.0.1:{closed_port}/a"
    _fetch(folder, _entry({"sub/a.txt": WHOLE}, _https(url)))
    assert _content(folder) == {"sub/a.txt": WHOLE}


@pytest.mark.parametrize("damaged", [None, b"", WHOLE[:-1]])
def test_damaged_folder_is_fetched_anew(
    damaged: bytes | None, server: FileServer, folder: Path
) -> None:
    server.files["/a"] = WHOLE
    folder.mkdir(parents=True)
    if damaged is not None:
        (folder / "a.txt").write_bytes(damaged)
    _fetch(folder, _entry({"a.txt": WHOLE}, _https(server.url("/a"))))
    assert _content(folder) == {"a.txt": WHOLE}
    assert _beside(folder) == ["sample"]


def test_failed_fetch_leaves_an_incomplete_folder_as_it_was(
    server: FileServer, folder: Path
) -> None:
    folder.mkdir(parents=True)
    (folder / "a.txt").write_bytes(WHOLE)
    _failure(folder, _entry({"a.txt": WHOLE, "b.txt": OTHER}, _https(server.url("/none"))))
    assert _content(folder) == {"a.txt": WHOLE}
    assert _beside(folder) == ["sample"]


def test_interrupted_fetch_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Mapping[str, str], names: Sequence[str], partial: Path) -> None:
        (partial / names[0]).write_bytes(WHOLE)
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(30)

    monkeypatch.setitem(KINDS, "https", interrupted)
    # What runs in the background of a shell is deaf to it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            _fetch(folder, _entry({"a.txt": WHOLE}, _https("https://none")))
    finally:
        signal.signal(signal.SIGINT, before)
    assert _beside(folder) == []


def test_failure_of_several_lines_is_told_in_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise ValueError("one\n  two\n")

    monkeypatch.setitem(KINDS, "https", failing)
    message = _failure(folder, _entry({"a.txt": WHOLE}, _https("https://none")))
    assert "https https://none: ValueError: one two; expected" in message


def test_no_network_is_one_clear_line_that_names_every_source(
    closed_port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = f"http://127.0.0.1:{closed_port}"
    template = base + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    sources = [
        _https(f"{base}/a"),
        {"kind": "archive", "url": f"{base}/a.zip"},
        {"kind": "hub", "repository": "owner/repo", "revision": "abc123"},
        _maven(base),
    ]
    message = _failure(folder, _entry({"a.txt": WHOLE}, *sources))
    for described in (
        f"https {base}/a:",
        f"archive {base}/a.zip:",
        "hub owner/repo abc123:",
        "maven org.it:it:1.0",
    ):
        assert described in message
    assert message.count("Connection refused") == len(sources)
    assert "Connect to the network (gated repositories need HF_TOKEN" in message
    assert "and run `snakemake resources`" in message
    assert _beside(folder) == []
