"""What unit and integration tests share: where things are, and the fetched resources."""

import compileall
import gc
import os
import signal
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from filelock import FileLock
from hinter.assessments import check_assessed, read_assessed
from hinter.invariant import CheckStore, Comparator, Invariant, Parser
from hinter.resources import fetch_resource, read_registry
from runs import forking
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

pytest_plugins = ["accounting"]
ROOT = Path(__file__).resolve().parents[1]
# What the tests and the default study use, all of it small but LanguageTool (250 MB).
FETCHED = (
    "imdb_reviews",
    "en_core_web_sm",
    "all_minilm_l6_v2",
    "smollm2_135m_instruct",
    "cl100k_base",
    "every_eval_ever",
    "languagetool",
)


# Small products take longest where several threads share them. Snakemake gives jobs the threads of
# their rules.
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"
# Processes of tests share the cores with the studies that they start: the threads of torch, which
# spin while they wait, would take most of the time. Torch reads this when it is imported.
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
# Servers of LanguageTool answer few texts here: more than half of their time would go to compiling
# code for long runs.
os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Studies are run in copies of the project: where Python writes no bytecode, each of their jobs
# would compile all that it imports.
compileall.compile_dir(ROOT / "workflow" / "scripts", quiet=1)
# Imports and tests that are collected leave little garbage.
gc.disable()
# A shell ignores Ctrl-C for what it starts in the background, and so would studies started here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whole studies as long; begin with the group that takes longest, end with releases."""
    for item in items:
        if "release" in item.path.parts:
            item.add_marker(pytest.mark.release)
        if "integration" in item.path.parts:
            item.add_marker(pytest.mark.long)
    items.sort(key=_turn_of)


def _turn_of(item: pytest.Item) -> int:
    if "release" in item.path.parts:
        return 2
    return int(_group_of(item.nodeid.partition("::")[0]) != "study")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what only a release needs once the time that is left for it has passed."""
    until = float(os.environ.get("RELEASES_UNTIL", "inf"))
    if time.time() > until and item.get_closest_marker("release"):
        pytest.skip(f"No time is left for {item.path.name}: `make test-all` runs it.")


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make alone, not among all modules and tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Let modules be freed at exit, or nanobind reports what they leak."""
    gc.unfreeze()


class ByFile(LoadScopeScheduling):
    """Gives each process whole files of tests, and one of them all that look at the small study."""

    def _split_scope(self, nodeid: str) -> str:
        return _group_of(nodeid.partition("::")[0])


@cache
def _group_of(path: str) -> str:
    return "study" if "study: Path" in (ROOT / path).read_text(encoding="utf-8") else path


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    """Divide the tests among processes by files."""
    return ByFile(config, log)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def thorough(pytestconfig: pytest.Config) -> bool:
    """Return whether the tests for a release are run, in which studies are killed more often."""
    return "not release" not in pytestconfig.option.markexpr


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of tests have in common."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def forks(shared_folder: Path) -> Iterator[dict[str, str]]:
    """Return the environment in which Snakemake and its jobs start as forks."""
    with forking(shared_folder) as environment:
        yield environment


@pytest.fixture(scope="session")
def made_once(shared_folder: Path) -> Callable[[str, Callable[[Path], object]], Path]:
    """Return the function that makes a folder once for all processes of tests, and returns it."""

    def make(name: str, write: Callable[[Path], object]) -> Path:
        folder, unfinished = shared_folder / name, shared_folder / f"{name}.unfinished"
        with FileLock(shared_folder / f"{name}.lock"):
            if not folder.exists():
                write(unfinished)
                unfinished.rename(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def checks(resources: Path, made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """Return a store with the checks on the assessed mutants, which every study asks for."""
    return made_once("checks", partial(_check_assessed, resources=resources))


def _check_assessed(folder: Path, *, resources: Path) -> None:
    parser = Parser(resources / "en_core_web_sm")
    assessed = read_assessed(ROOT / "data" / "validity" / "assessments.csv")
    stores = {name: CheckStore(folder, parser=parser, comparator=name) for name in Comparator}
    invariants = [Invariant(parser, name, store) for name, store in stores.items()]
    check_assessed(assessed, invariants=invariants)


@pytest.fixture(scope="session")
def whole_gguf(resources: Path) -> Path:
    """Return the GGUF file of SmolLM2."""
    return resources / "smollm2_135m_instruct" / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def shallow_gguf(
    whole_gguf: Path, made_once: Callable[[str, Callable[[Path], object]], Path]
) -> Path:
    """Return a GGUF file of a small part of SmolLM2, which answers fast, if badly."""
    from shallow import write_shallow

    def write(folder: Path) -> None:
        folder.mkdir()
        write_shallow(whole_gguf, folder / "shallow.gguf", layers=4)

    return made_once("shallow", write) / "shallow.gguf"


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
