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
