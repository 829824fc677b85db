"""What the tests share: the study's own parser."""

from pathlib import Path

import pytest
from hinter.invariant import Parser
from hinter.resources import fetch_resource, read_registry

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def parser_folder() -> Path:
    """The folder of spaCy's small English pipeline, fetched where it is not here yet."""
    registry = read_registry(
        ROOT / "data" / "registry.yaml", schema=ROOT / "config" / "schemas" / "registry.schema.yaml"
    )
    folder = ROOT / "resources" / "en_core_web_sm"
    fetch_resource(name="en_core_web_sm", entry=registry["en_core_web_sm"], folder=folder)
    return folder


@pytest.fixture(scope="session")
def parser(parser_folder: Path) -> Parser:
    """The parser of the invariant."""
    return Parser(parser_folder)
