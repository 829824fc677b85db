"""What unit and integration tests share: where things are, and the fetched resources."""

from pathlib import Path

import pytest
from hinter.resources import fetch_resource, read_registry

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def resources() -> Path:
    """Return the folder of the resources, each fetched unless it is there already."""
    folder = ROOT / "resources"
    schema = ROOT / "config" / "schemas" / "registry.schema.yaml"
    for name, entry in read_registry(ROOT / "data" / "registry.yaml", schema=schema).items():
        fetch_resource(name=name, entry=entry, folder=folder / name)
    return folder
