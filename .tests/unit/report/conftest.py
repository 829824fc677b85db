"""The page of a study with hostile names and texts, in a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import CHROMIUM
from reported import Reported

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    return Reported(folder).page(folder / "report.html")


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    # A large package, which other tests need not load.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: "Browser", report: Path) -> "Iterator[Page]":
    """Yield the page, opened for the first time; nothing may be said or asked for by the end."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page, faults = context.new_page(), list[str]()
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url))
    page.goto(report.as_uri())
    yield page
    assert page.title() == "HInter: what the study found"
    own = report.as_uri()
    # A blob is what the page itself has made.
    assert [told for told in faults if not told.startswith((own, "data:", "blob:"))] == []
    context.close()
