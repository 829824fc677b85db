"""What unit and integration tests share: where things are, and the fetched resources."""

from pathlib import Path

import pytest
from filelock import FileLock
from hinter.resources import fetch_resource, read_registry

ROOT = Path(__file__).resolve().parents[1]
# What the tests and the default study use, all of it small but LanguageTool (250 MB).
FETCHED = (
    "imdb_reviews",
    "en_core_web_sm",
    "all_minilm_l6_v2",
    "smollm2_135m_instruct",
    "cl100k_base",
    "languagetool",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let processes that test side by side take whole files, and one of them the small study."""
    for item in items:
        whole = "integration" in item.path.parts
        if whole:
            item.add_marker(pytest.mark.long)
        shared = whole and "study" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("study" if shared else item.path.stem))


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def resources() -> Path:
    """Return the folder of the resources, those of `FETCHED` fetched unless they are there."""
    folder = ROOT / "resources"
    folder.mkdir(exist_ok=True)
    with FileLock(folder / "tests.lock"):
        for name, entry in read_registry(ROOT / "data" / "registry.yaml").items():
            if name in FETCHED:
                fetch_resource(name=name, entry=entry, folder=folder / name)
    return folder
