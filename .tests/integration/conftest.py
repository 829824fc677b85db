"""The small study that several files of tests look at, run once."""

from pathlib import Path

import pytest
from runs import checkout_small, snakemake


@pytest.fixture(scope="session")
def study(root: Path, resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished study, run on two cores."""
    folder = tmp_path_factory.mktemp("a") / "study"
    checkout_small(folder, root=root, resources=resources)
    told = snakemake(folder, "--cores", "2", environment={"PYTHONHASHSEED": "1"})
    assert "report.html" in told
    assert "Done. A finished study leaves:" in told
    assert "results/tables/" in told
    return folder
