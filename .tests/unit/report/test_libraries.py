"""The libraries in the page are those of their lock."""

import shutil
from pathlib import Path

import pytest
from hinter.errors import InputError
from hinter.report.libraries import read_libraries
from reported import PAGE

LOCK = PAGE / "libraries" / "libraries.sha256"


def test_the_libraries_are_read_in_the_order_of_their_lock() -> None:
    d3, plot = read_libraries(LOCK)
    assert d3.startswith("// https://d3js.org v7.9.0")
    assert plot.startswith("// @observablehq/plot v0.6.17")
    # Nothing in them ends the script that holds them.
    assert not any("</script" in script or "<!--" in script for script in (d3, plot))


def test_another_file_than_that_of_the_lock_is_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(LOCK.parent, tmp_path / "libraries"))
    with (folder / "d3.min.js").open("a", encoding="utf-8") as file:
        file.write("//")
    with pytest.raises(
        InputError, match=r"d3\.min\.js: found the sha256 .*; expected the sha256 f2"
    ):
        read_libraries(folder / LOCK.name)
    (folder / "d3.min.js").unlink()
    with pytest.raises(InputError, match="no such file"):
        read_libraries(folder / LOCK.name)
