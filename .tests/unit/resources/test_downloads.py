"""Files over HTTPS, of the model hub with a token that nobody else is given, and of Maven."""

import io
import logging
import os
import subprocess
import sys
import tarfile
import threading
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest
import yaml
from hinter.resources import downloads
from sources import (
    ENTRY,
    FAR_TOO_MUCH,
    OTHER,
    PACKERS,
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
    tarred,
    use_only_index,
    zipped,
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


FETCHES = """
import sys
import fetch_resource
from hinter.job import logged_to

for name in sys.argv[1:]:
    try:
        with logged_to(f"{name}.log"):
            fetch_resource.main(registry="registry.yaml", name=name, folder=name)
    except SystemExit as end:
        print(name, end.code)
"""


def test_token_goes_to_the_hub_and_into_no_log(server: FileServer, tmp_path: Path) -> None:
    entries, places = {}, {}
    for answer in ("served", "refused", "wrong"):
        source = {"kind": "hub", "repository": f"owner/{answer}", "revision": "abc123"}
        files = {"model.bin": sha256_of(WHOLE)}
        entries[answer] = ENTRY | {"files": files, "sources": [source]}
        places[answer] = f"/owner/{answer}/resolve/abc123/model.bin"
    server.files = dict.fromkeys(places.values(), WHOLE) | {places["wrong"]: OTHER}
    server.refused = {places["refused"]}
    (tmp_path / "registry.yaml").write_text(yaml.safe_dump(entries), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", FETCHES, *places],
        cwd=tmp_path,
        env=os.environ
        | {"HF_ENDPOINT": server.url(), "HF_TOKEN": TOKEN, "PYTHONPATH": str(SCRIPTS)},
        capture_output=True,
        text=True,
        check=True,
    )
    told = [(place, headers["Authorization"]) for place, headers in server.requests]
    assert told == [(place, f"Bearer {TOKEN}") for place in places.values()]
    assert TOKEN not in done.stdout + done.stderr
    assert done.stdout.split() == ["refused", "1", "wrong", "1"]
    for answer in places:
        written = (tmp_path / f"{answer}.log").read_text(encoding="utf-8")
        assert TOKEN not in written
        assert f"owner/{answer}" in written
        assert (tmp_path / answer).is_dir() == (answer == "served")


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


@pytest.mark.parametrize("suffix", PACKERS)
def test_archive_brings_only_the_named_files_of_its_prefix(
    suffix: str, server: FileServer, folder: Path
) -> None:
    wanted = {"model.bin": WHOLE, "vocab/words.txt": OTHER}
    packed = {f"package/v1/{name}": content for name, content in wanted.items()}
    server.files[f"/it.{suffix}"] = PACKERS[suffix](packed | {"package/setup.py": b"raise"})
    source = {"kind": "archive", "url": server.url(f"/it.{suffix}"), "prefix": "package/v1"}
    fetch(folder, entry_of(wanted, source))
    assert content_of(folder) == wanted
    assert names_in(folder) == ["sample"]


def test_archive_may_stand_behind_a_query(server: FileServer, folder: Path) -> None:
    server.files["/it.zip"] = zipped({"a.txt": WHOLE})
    source = {"kind": "archive", "url": server.url("/it.zip?download=1")}
    fetch(folder, entry_of({"a.txt": WHOLE}, source))
    assert content_of(folder) == {"a.txt": WHOLE}


@pytest.mark.parametrize("suffix", ["zip", "tgz"])
def test_archive_writes_nothing_outside_its_folder(
    suffix: str, server: FileServer, folder: Path, tmp_path: Path
) -> None:
    files = {"a.txt": WHOLE, "../../evil.txt": OTHER, "../../../evil.txt": OTHER}
    server.files[f"/it.{suffix}"] = PACKERS[suffix](files)
    source = {"kind": "archive", "url": server.url(f"/it.{suffix}")}
    failure_of(folder, entry_of({"a.txt": WHOLE, "b.txt": OTHER}, source))
    assert list(tmp_path.rglob("evil.txt")) == []
    assert names_in(folder) == []


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
@pytest.mark.parametrize("target", ["{secret}", "../../../secret", "b.txt"])
def test_links_and_devices_of_an_archive_are_no_files(
    target: str, kind: bytes, server: FileServer, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_bytes(WHOLE)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("a.txt")
        member.type, member.linkname = kind, target.format(secret=tmp_path / "secret")
        archive.addfile(member)
    server.files["/it.tgz"] = packed.getvalue()
    source = {"kind": "archive", "url": server.url("/it.tgz")}
    failure_of(folder, entry_of({"a.txt": WHOLE}, source))
    assert names_in(folder) == []


def test_archive_without_a_named_file_fails_and_names_it(server: FileServer, folder: Path) -> None:
    server.files["/it.zip"] = zipped({"a.txt": WHOLE})
    source = {"kind": "archive", "url": server.url("/it.zip")}
    assert "b.txt" in failure_of(folder, entry_of({"a.txt": WHOLE, "b.txt": OTHER}, source))
    assert names_in(folder) == []


@pytest.mark.parametrize("suffix", PACKERS)
def test_archive_that_unpacks_to_far_more_than_the_registry_says_is_refused(
    suffix: str, server: FileServer, folder: Path
) -> None:
    server.files[f"/it.{suffix}"] = PACKERS[suffix]({"a.txt": FAR_TOO_MUCH}, small=True)
    source = {"kind": "archive", "url": server.url(f"/it.{suffix}")}
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, source))
    assert ": it takes more than 6 MB" in message
    assert names_in(folder) == []


def test_nothing_but_the_named_files_of_an_archive_is_unpacked(
    server: FileServer, folder: Path
) -> None:
    server.files["/it.tgz"] = tarred({"it/a.txt": WHOLE, "it/b.txt": FAR_TOO_MUCH})
    source = {"kind": "archive", "url": server.url("/it.tgz"), "prefix": "it"}
    fetch(folder, entry_of({"a.txt": WHOLE}, source))
    assert content_of(folder) == {"a.txt": WHOLE}


def test_an_archive_may_be_larger_than_what_is_taken_of_it(
    server: FileServer, folder: Path
) -> None:
    server.files["/it.zip"] = zipped({"a.txt": WHOLE, "b.txt": FAR_TOO_MUCH})
    source = {"kind": "archive", "url": server.url("/it.zip")}
    assert "it takes more than 6 MB" in failure_of(folder, entry_of({"a.txt": WHOLE}, source))
    entry = entry_of({"a.txt": WHOLE}, source | {"megabytes": 40})
    fetch(folder, entry)
    assert content_of(folder) == {"a.txt": WHOLE}


# Archives verified as a whole.

PACKED = {"it/server.jar": WHOLE, "it/libs/part.jar": OTHER, "it/.rules": b"", "NOTICE": OTHER}
UNPACKED = {"server.jar": WHOLE, "libs/part.jar": OTHER, ".rules": b""}


@pytest.fixture
def whole(server: FileServer) -> dict[str, Any]:
    """Return an entry whose archive, which the server has, brings other files than a repository."""
    server.files["/it.zip"] = zipped(PACKED)
    server.files["/org/server.jar"] = WHOLE
    archive = {
        "kind": "archive",
        "url": server.url("/it.zip"),
        "prefix": "it",
        "sha256": sha256_of(server.files["/it.zip"]),
    }
    return entry_of({"org/server.jar": WHOLE}, archive, maven_source(server.url()))


def _visible(folder: Path) -> dict[str, bytes]:
    """Return the content of the folder without the list of an archive's files."""
    return {
        name: content for name, content in content_of(folder).items() if not name.endswith("sha256")
    }


def test_verified_archive_is_taken_whole(
    server: FileServer, folder: Path, whole: dict[str, Any]
) -> None:
    fetch(folder, whole)
    assert _visible(folder) == UNPACKED
    assert server.asked() == ["/it.zip"]
    assert names_in(folder) == ["sample"]
    fetch(folder, whole)
    assert server.asked() == ["/it.zip"]


@pytest.mark.parametrize("damaged", [b"", None])
def test_damaged_file_of_a_verified_archive_is_fetched_anew(
    damaged: bytes | None, server: FileServer, folder: Path, whole: dict[str, Any]
) -> None:
    fetch(folder, whole)
    if damaged is None:
        (folder / "libs" / "part.jar").unlink()
    else:
        (folder / "libs" / "part.jar").write_bytes(damaged)
    fetch(folder, whole)
    assert _visible(folder) == UNPACKED
    assert server.asked() == ["/it.zip"] * 2


def test_folder_of_another_archive_is_fetched_anew(
    server: FileServer, folder: Path, whole: dict[str, Any]
) -> None:
    fetch(folder, whole)
    server.files["/it.zip"] = zipped({"it/server.jar": OTHER})
    whole["sources"][0]["sha256"] = sha256_of(server.files["/it.zip"])
    fetch(folder, whole)
    assert _visible(folder) == {"server.jar": OTHER}


def test_archive_with_another_sha256_leads_to_the_next_source(
    server: FileServer, folder: Path, whole: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    server.files["/it.zip"] = zipped(PACKED | {"it/server.jar": OTHER})
    fetch(folder, whole)
    assert content_of(folder) == {"org/server.jar": WHOLE}
    assert server.asked() == ["/it.zip", "/org/server.jar"]
    assert f"archive {server.url('/it.zip')}: ValueError: SHA256 hash" in caplog.text
    assert sha256_of(server.files["/it.zip"]) in caplog.text
    assert whole["sources"][0]["sha256"] in caplog.text
    assert names_in(folder) == ["sample"]
    # The files of the next source are those of the registry, and here now.
    server.requests.clear()
    fetch(folder, whole)
    assert server.requests == []


def test_verified_archive_without_files_below_its_prefix_is_refused(
    server: FileServer, folder: Path, whole: dict[str, Any]
) -> None:
    whole["sources"] = [whole["sources"][0] | {"prefix": "other"}]
    assert "the archive has no files below other" in failure_of(folder, whole)
    assert names_in(folder) == []


def _wheel(*, package: str, requires: Sequence[str], files: Mapping[str, bytes]) -> bytes:
    info = f"{package}-1.0.dist-info"
    needs = "".join(f"Requires-Dist: {name}\n" for name in requires)
    about = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n{needs}"
    tags = "Wheel-Version: 1.0\nGenerator: none\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    parts = {"METADATA": about, "WHEEL": tags, "RECORD": ""}
    return zipped(dict(files) | {f"{info}/{part}": text.encode() for part, text in parts.items()})


def test_wheel_is_opened_without_being_run_and_without_its_dependencies(
    server: FileServer, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_only_index(server.url("/simple"), monkeypatch=monkeypatch)
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
    fetch(folder, entry_of({"a.txt": WHOLE}, source))
    assert content_of(folder) == {"a.txt": WHOLE}
    assert names_in(folder) == ["sample"]
    assert server.asked() == ["/simple/sample-part/", f"/{name}"]
    assert not ran.exists()


def test_wheel_of_the_package_index_is_not_installed(folder: Path) -> None:
    installed = {part.name for part in metadata.distributions()}
    # A small pure-Python wheel that depends on a compiled one.
    source = {"kind": "wheel", "package": "aiosignal", "version": "1.3.2", "prefix": "aiosignal"}
    sha256 = "d6822b465ea4369a85877d9eec77cc15b315ff7e6ff2ca892457e7b8a826b445"
    fetch(folder, {"megabytes": 1, "files": {"__init__.py": [sha256]}, "sources": [source]})
    assert list(content_of(folder)) == ["__init__.py"]
    assert names_in(folder) == ["sample"]
    assert {part.name for part in metadata.distributions()} == installed
    assert "aiosignal" not in sys.modules


def test_wheel_that_the_index_lacks_is_named(
    server: FileServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_only_index(server.url("/simple"), monkeypatch=monkeypatch)
    source = {"kind": "wheel", "package": "sample-part", "version": "1.0"}
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, source))
    assert "wheel sample-part 1.0" in message
    assert "No matching distribution found for sample-part==1.0" in message
    assert names_in(folder) == []


def test_unreachable_index_is_told_as_the_cause(
    closed_port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_only_index(f"http://127.0.0.1:{closed_port}/simple", monkeypatch=monkeypatch)
    monkeypatch.setenv("PIP_RETRIES", "1")
    source = {"kind": "wheel", "package": "sample-part", "version": "1.0"}
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, source))
    assert "Connection refused" in message
    assert "No matching distribution found for sample-part==1.0" in message
    assert names_in(folder) == []
