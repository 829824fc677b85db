"""What the tests of corpora share: a file of thirty texts."""

from pathlib import Path

import pytest
from users_files import Row, write_csv


@pytest.fixture
def rows() -> list[Row]:
    """Thirty distinct texts."""
    return [{"text": f"text number {i}", "label": i % 2} for i in range(30)]


@pytest.fixture
def given(path: Path) -> Path:
    """Thirty texts with splits of their own: 18 to train, 6 to develop, 6 to test."""
    parts = ["train"] * 18 + ["dev"] * 6 + ["test"] * 6
    content = [
        {"text": f"text number {i}", "label": i % 2, "part": part} for i, part in enumerate(parts)
    ]
    return write_csv(path, content)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "texts.csv"
