"""Jobs in conda environments made by a stand-in for conda."""

from pathlib import Path

import pytest
from runs import WITH_CONDA, checkout, snakemake

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
