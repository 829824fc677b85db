"""The small study that several files of tests look at."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hinter.assessments import check_assessed, read_assessed
from hinter.invariant import CheckStore, Comparator, Invariant, Parser
from runs import HERE, checkout, run_killed, snakemake


@pytest.fixture(scope="session")
def study(
    root: Path,
    resources: Path,
    small: Path,
    checks: Path,
    forks: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Return the folder of a finished study, run on two cores, after a run that was killed.

    The jobs of that run, up to the corpus, are processes of their own. The scripts of all jobs are
    left in it.
    """
    folder = tmp_path_factory.mktemp("a") / "study"
    checkout(folder, root=root, resources=resources, config=small)
    shutil.copytree(checks, folder / "store" / "checks")
    environment = {"PYTHONHASHSEED": "1"}
    corpus = "results/corpora/imdb.parquet"
    run_killed(folder, corpus, moments={"prepare_corpus": 2}, environment=environment)
    # As long as another Snakemake may run there.
    printed = snakemake(folder, "--cores", "1", environment=forks, succeeds=False)
    assert "Directory cannot be locked" in printed
    assert "--unlock" in printed
    snakemake(folder, "--unlock", environment=forks)
    printed = snakemake(folder, "--cores", "2", "--skip-script-cleanup", environment=forks)
    assert "report.html" in printed
    assert "Done. A finished study leaves:" in printed
    assert "results/tables/" in printed
    return folder


@pytest.fixture(scope="session")
def small(shallow_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the default study's configuration made small, with its own model."""
    folder = tmp_path_factory.mktemp("small") / "config"
    shutil.copytree(HERE / "config", folder)
    os.link(shallow_gguf, folder / shallow_gguf.name)
    return folder


@pytest.fixture(scope="session")
def checks(
    root: Path, resources: Path, made_once: Callable[[str, Callable[[Path], object]], Path]
) -> Path:
    """Return a store with the checks on the assessed mutants, which every study asks for."""
    return made_once("checks", partial(_check_assessed, root=root, resources=resources))


def _check_assessed(folder: Path, *, root: Path, resources: Path) -> None:
    parser = Parser(resources / "en_core_web_sm")
    assessed = read_assessed(root / "data" / "validity" / "assessments.csv")
    stores = {name: CheckStore(folder, parser=parser, comparator=name) for name in Comparator}
    invariants = [Invariant(parser, name, store) for name, store in stores.items()]
    check_assessed(assessed, invariants=invariants)
