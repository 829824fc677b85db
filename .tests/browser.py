"""Pages as a browser without a screen has them."""

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium")
OPEN = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
OPEN += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]

needs_browser = pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")


def dom(page: Path, profile: Path) -> str:
    """Return the page as it is in a browser when all its scripts have run."""
    command = [str(CHROMIUM), *OPEN, f"--user-data-dir={profile}"]
    command += ["--virtual-time-budget=60000", "--dump-dom", page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def leave(page: "Page") -> None:
    """Leave a page once the browser has kept what it stores."""
    # That is some moments later, as a loaded machine shows.
    page.wait_for_timeout(2000)
    page.goto("about:blank")


def accept(page: "Page") -> None:
    """Accept the notice of the report's page, below which all else is shown."""
    page.get_by_role("button", name="Show them").click()
