"""What the tests of tables share: the published counts."""

from pathlib import Path

import pytest
from hinter.tables.published.counts import Published, read_published


@pytest.fixture(scope="session")
def published_files(root: Path) -> list[str]:
    return [str(path) for path in sorted((root / "data" / "published").glob("*.csv"))]


@pytest.fixture(scope="session")
def published(published_files: list[str]) -> Published:
    return read_published(published_files)
