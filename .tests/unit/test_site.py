"""The pages of the project as a site: built strictly, and complete without a network."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOADED = re.compile(r'<(?:script|img|iframe)[^>]* src="(?:https?:)?//|<link[^>]* href="https?:')


def test_no_link_of_the_site_is_broken_and_no_page_needs_a_network(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    pages = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.html")}
    assert {"index.html", "config/index.html", "docs/settings.html"} <= pages.keys()
    assert [name for name, path in pages.items() if LOADED.search(path.read_text("utf-8"))] == []
    assert "fonts.g" not in (tmp_path / "index.html").read_text("utf-8")


def test_pages_name_files_and_functions_that_are_there() -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    code = r"`((?:\.tests|benchmarks|workflow)/[\w/.]+\.(?:py|smk))`"
    files = {name for page in pages.values() for name in re.findall(code, page)}
    assert len(files) > 10
    assert [name for name in files if not (ROOT / name).is_file()] == []
    library = ROOT / "workflow" / "scripts" / "hinter"
    defined = {
        name
        for path in library.rglob("*.py")
        for name in re.findall(r"^def (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    methods = re.findall(r"\*\* \(`([\w/]+)`\)", pages[ROOT / "docs" / "statistics.md"])
    assert len(methods) > 8
    assert [
        name for name in methods if not (library / f"{name}.py").is_file() and name not in defined
    ] == []
