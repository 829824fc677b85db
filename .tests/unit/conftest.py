"""What the unit tests share: the study's own parser, and the invariant by each comparator."""

from pathlib import Path

import pytest
from hinter.invariant import Comparator, Invariant, Parser, VerdictStore
from literal import RememberingParser


@pytest.fixture(scope="session")
def parser_folder(resources: Path) -> Path:
    """Return the folder of spaCy's small English pipeline."""
    return resources / "en_core_web_sm"


@pytest.fixture(scope="session")
def parser(parser_folder: Path) -> Parser:
    """Return the parser of the invariant."""
    return Parser(parser_folder)


@pytest.fixture(scope="session")
def memory(parser: Parser) -> RememberingParser:
    """Return the literal algorithm's parser, with one memory of parses for all tests."""
    return RememberingParser(parser)


@pytest.fixture
def invariants(parser: Parser, tmp_path: Path) -> dict[Comparator, Invariant]:
    """Return the invariant with each comparator and no verdict known."""
    return {
        comparator: Invariant(
            parser, comparator, VerdictStore(tmp_path, parser=parser, comparator=comparator)
        )
        for comparator in Comparator
    }
