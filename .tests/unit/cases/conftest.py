"""The suite whose cases are examined."""

from pathlib import Path

import pytest
from judged import Judged, Simulated, outcome_of


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    return Judged(tmp_path, Simulated(outcome_of))
