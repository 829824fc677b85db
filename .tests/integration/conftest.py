"""The small study that several files of tests look at."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from runs import HERE, checkout, copy_project, run_killed, snakemake


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
def bare(root: Path, made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """Return a copy of the project without any resource, in which studies are only planned."""
    return made_once("bare", partial(copy_project, root=root))


@pytest.fixture(scope="session")
def small(shallow_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the default study's configuration made small, with its own model."""
    folder = tmp_path_factory.mktemp("small") / "config"
    shutil.copytree(HERE / "config", folder)
    os.link(shallow_gguf, folder / shallow_gguf.name)
    return folder
