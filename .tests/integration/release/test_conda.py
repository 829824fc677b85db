"""Jobs in conda environments, and the container made of these, by a stand-in for conda."""

import os
import sys
from pathlib import Path

import pytest
from runs import checkout, snakemake

STAND_IN = Path(__file__).resolve().parents[2] / "conda" / "bin"
WITH_CONDA = {
    "PATH": os.pathsep.join([str(STAND_IN), str(Path(sys.executable).parent), os.environ["PATH"]])
}
# A rule of each of two environments, with its script and what it makes.
RULES = {
    "data": ("build_dictionary.py", "results/dictionary/pairs.csv"),
    "analysis": ("make_tables.py", "results/published/erratum.csv"),
}


@pytest.fixture(scope="module")
def folder(
    root: Path, resources: Path, small: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the folder of a study whose scripts have noted in which environment they ran."""
    folder = tmp_path_factory.mktemp("conda") / "study"
    checkout(folder, root=root, resources=resources, config=small)
    for environment, (script, _) in RULES.items():
        with (folder / "workflow" / "scripts" / script).open("a") as code:
            code.write("\nimport sys\nfrom pathlib import Path\n")
            code.write(f"Path('{environment}.txt').write_text(sys.prefix)\n")
    targets = [made for _, made in RULES.values()]
    snakemake(folder, "--cores", "1", "--sdm", "conda", "--", *targets, environment=WITH_CONDA)
    return folder


@pytest.mark.parametrize("environment", RULES)
def test_a_job_runs_in_the_environment_of_its_rule(folder: Path, environment: str) -> None:
    prefix = Path((folder / f"{environment}.txt").read_text())
    assert prefix.is_relative_to(folder / ".snakemake" / "conda")
    made_from = prefix.with_name(f"{prefix.name}.yaml")
    assert made_from.read_text() == (folder / "envs" / f"{environment}.yaml").read_text()


def test_all_environments_are_in_the_container_that_is_described(folder: Path, root: Path) -> None:
    described = (root / "docs" / "container" / "Dockerfile").read_text(encoding="utf-8")
    # Images are built where there is no GPU.
    before, _, after = described.partition("ENV CONDA_OVERRIDE_CUDA=12.9\n")
    assert before.startswith("FROM ")
    assert snakemake(folder, "--containerize", environment=WITH_CONDA).endswith(before + after)
    assert after
