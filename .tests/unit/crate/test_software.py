"""The archive of the workflow: its files, as they are, and the same bytes each time."""

import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from hinter.crate import write_archive


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("workflow/Snakefile", "workflow/scripts/a.py", "envs/b.yaml", "results/c.csv"):
        (tmp_path / "home" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "home" / name).write_text(name)
    compiled = tmp_path / "home" / "workflow" / "scripts" / "__pycache__"
    compiled.mkdir()
    (compiled / "a.pyc").write_bytes(b"compiled")
    return tmp_path / "home"


def test_it_holds_the_code_and_the_environments_only(home: Path, tmp_path: Path) -> None:
    write_archive(home, tmp_path / "a.zip")
    with ZipFile(tmp_path / "a.zip") as archive:
        assert archive.namelist() == ["envs/b.yaml", "workflow/Snakefile", "workflow/scripts/a.py"]
        assert archive.read("workflow/scripts/a.py") == b"workflow/scripts/a.py"


def test_it_has_the_same_bytes_whenever_it_is_made(home: Path, tmp_path: Path) -> None:
    write_archive(home, tmp_path / "a.zip")
    os.utime(home / "envs" / "b.yaml", (0, 1_000_000_000))
    write_archive(home, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
