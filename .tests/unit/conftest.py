"""What the unit tests share: the study's own parser."""

from pathlib import Path

import pytest
from hinter.invariant import Parser


@pytest.fixture(scope="session")
def parser_folder(resources: Path) -> Path:
    """Return the folder of spaCy's small English pipeline."""
    return resources / "en_core_web_sm"


@pytest.fixture(scope="session")
def parser(parser_folder: Path) -> Parser:
    """Return the parser of the invariant."""
    return Parser(parser_folder)
