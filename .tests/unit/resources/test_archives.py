"""Archives over HTTPS, and wheels of a package index."""

import io
import sys
import tarfile
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from sources import (
    FAR_TOO_MUCH,
    OTHER,
    PACKERS,
    WHOLE,
    FileServer,
    content_of,
    entry_of,
    failure_of,
    fetch,
    maven_source,
    names_in,
    sha256_of,
    tarred,
    use_only_index,
    zipped,
)

pytestmark = pytest.mark.long


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
