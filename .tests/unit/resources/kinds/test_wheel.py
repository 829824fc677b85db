"""Wheels of a package index: opened, and neither installed nor run."""

import sys
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path

import pytest
from sources import (
    WHOLE,
    FileServer,
    content_of,
    entry_of,
    failure_of,
    fetch,
    names_beside,
    use_only_index,
    zipped,
)

pytestmark = pytest.mark.long


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
    assert names_beside(folder) == ["sample"]
    assert server.asked() == ["/simple/sample-part/", f"/{name}"]
    assert not ran.exists()


def test_wheel_of_the_package_index_is_not_installed(folder: Path) -> None:
    installed = {part.name for part in metadata.distributions()}
    # A small pure-Python wheel that depends on a compiled one.
    source = {"kind": "wheel", "package": "aiosignal", "version": "1.3.2", "prefix": "aiosignal"}
    sha256 = "d6822b465ea4369a85877d9eec77cc15b315ff7e6ff2ca892457e7b8a826b445"
    fetch(folder, {"megabytes": 1, "files": {"__init__.py": [sha256]}, "sources": [source]})
    assert list(content_of(folder)) == ["__init__.py"]
    assert names_beside(folder) == ["sample"]
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
    assert names_beside(folder) == []


def test_unreachable_index_is_told_as_the_cause(
    closed_port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_only_index(f"http://127.0.0.1:{closed_port}/simple", monkeypatch=monkeypatch)
    monkeypatch.setenv("PIP_RETRIES", "1")
    source = {"kind": "wheel", "package": "sample-part", "version": "1.0"}
    message = failure_of(folder, entry_of({"a.txt": WHOLE}, source))
    assert "Connection refused" in message
    assert "No matching distribution found for sample-part==1.0" in message
    assert names_beside(folder) == []
