"""The small study that is exported."""

from pathlib import Path

import pytest
from exported import Exported


@pytest.fixture
def exported(tmp_path: Path) -> Exported:
    return Exported(tmp_path)


@pytest.fixture(scope="session")
def schemas(resources: Path) -> Path:
    """Return the folder of the schemas of Every Eval Ever."""
    return resources / "every_eval_ever"
