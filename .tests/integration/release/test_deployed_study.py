"""The small study deployed as a module, and sent to a cluster: the same bytes as here."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from exports import digests_of
from runs import copy_finished, copy_project, digests, sent_out, snakemake
from slurm.one_node import obstacle

WITHOUT_SLURM = obstacle()
SENT_OUT = [
    f"studies/first/results/{name}"
    for name in (
        *("cases/minilm/imdb.parquet", "cases/smollm2/imdb.parquet", "comparators/imdb.parquet"),
        *("assessed.parquet", "grammar/imdb.parquet", "tables/accuracy.csv", "tables/excess.csv"),
    )
]


class Elsewhere(NamedTuple):
    """A deployed study: the folder that Snakemake ran in, that of the results, what was printed."""

    deployed: Path
    study: Path
    printed: str


@pytest.fixture(scope="module")
def elsewhere(
    root: Path, resources: Path, small: Path, tmp_path_factory: pytest.TempPathFactory
) -> Elsewhere:
    """Run the small study once more, with all differences that must not change its bytes.

    Snakedeploy has put the workflow there, as a module; results have a folder of their own, and the
    store is a new one, elsewhere. The hash seed is another one, as are the locale, the time zone
    and the numbers of shards and of threads. Jobs go to a Slurm where one can be started, but for
    most of the tables, whose jobs are short and many.
    """
    place = tmp_path_factory.mktemp("elsewhere")
    source, folder = place / "hinter", place / "study"
    copy_project(source, root=root)
    subprocess.run(["snakedeploy", "deploy-workflow", source, folder, "--tag", "main"], check=True)
    # Of a workflow on the same machine, snakedeploy gives the path inside that workflow.
    entry = folder / "workflow" / "Snakefile"
    entry.write_text(entry.read_text().replace('"workflow/', f'"{source}/workflow/'))
    shutil.copytree(small, folder / "small")
    settings = folder / "small" / "config.yaml"
    config = yaml.safe_load(settings.read_text())
    config |= {
        "folder": "studies/first",
        "store": str(place / 'it\'s the "ωther" störe, 100 %'),
        "resources": str(resources),
        "shards": 8,
        "grammar": config["grammar"] | {"shards": 2},
    }
    settings.write_text(yaml.safe_dump(config))
    limited = ("--max-threads", "1")
    environment = {"PYTHONHASHSEED": "2", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"}
    with sent_out() as how:
        printed = snakemake(folder, *how, *limited, *SENT_OUT, environment=environment)
    printed += snakemake(folder, "--cores", "1", *limited, environment=environment)
    return Elsewhere(folder, folder / "studies" / "first", printed)


def test_another_hash_seed_number_of_threads_and_of_shards_give_the_same_bytes(
    study: Path, elsewhere: Elsewhere
) -> None:
    assert digests(elsewhere.study) == digests(study)
    assert (elsewhere.study / "provenance.html").is_file()
    assert {path.name for path in elsewhere.deployed.iterdir()} == {
        *(".snakemake", "config", "profiles", "small", "studies", "workflow")
    }


@pytest.mark.skipif(WITHOUT_SLURM is not None, reason=str(WITHOUT_SLURM))
def test_jobs_are_sent_to_the_cluster(elsewhere: Elsewhere) -> None:
    assert elsewhere.printed.count("has been submitted with SLURM jobid") > 20


def test_its_export_has_the_same_bytes(study: Path, elsewhere: Elsewhere, tmp_path: Path) -> None:
    time = {"SOURCE_DATE_EPOCH": "1700000000"}
    here = copy_finished(study, tmp_path / "study", "store")
    for folder in (here, elsewhere.deployed):
        snakemake(folder, "--cores", "1", "export", environment=time)
    made = "results/export"
    assert digests_of(elsewhere.study / made) == digests_of(here / made)
