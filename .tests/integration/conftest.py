"""The small study that several files of tests look at, run once here and once elsewhere."""

import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import yaml
from hinter.assessments import check_assessed, read_assessed
from hinter.invariant import CheckStore, Comparator, Invariant, Parser
from runs import (
    HERE,
    Elsewhere,
    checkout_small,
    copy_project,
    drawn_moments,
    run_killed,
    sent_out,
    snakemake,
)

SENT_OUT = [
    f"studies/first/results/{name}"
    for name in (
        *("cases/minilm/imdb.parquet", "cases/smollm2/imdb.parquet", "comparators/imdb.parquet"),
        *("assessed.parquet", "grammar/imdb.parquet", "tables/accuracy.csv", "tables/excess.csv"),
    )
]


# Each stage's script, with the steps of which one is drawn: it is killed there, or as it ends.
KILLED = {
    "prepare_corpus": (1, 3),
    "generate_mutants": (2, 40),
    "select_suite": (1, 3),
    "match_controls": (2, 20),
    "fine_tune_encoder": (2, 8),
    "predict_suite": (5, 7),
    "score_grammar": (5, 7),
    "judge_mutants": (1, 3),
    "examine_cases": (1, 6),
    "make_table": (1, 6),
    "draw_figure": (1, 6),
    "write_report": (1, 3),
}


@pytest.fixture(scope="session")
def study(
    root: Path, resources: Path, checks: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the folder of a finished study, run on two cores, and killed in each stage."""
    folder = tmp_path_factory.mktemp("a") / "study"
    checkout_small(folder, root=root, resources=resources)
    shutil.copytree(checks, folder / "store" / "checks")
    environment = {"PYTHONHASHSEED": "1"}
    run_killed(folder, moments=drawn_moments(KILLED, seed=7), environment=environment)
    snakemake(folder, "--unlock")
    told = snakemake(folder, "--cores", "2", environment=environment)
    assert "report.html" in told
    assert "Done. A finished study leaves:" in told
    assert "results/tables/" in told
    return folder


@pytest.fixture(scope="session")
def elsewhere(root: Path, resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
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
    shutil.copytree(HERE / "config", folder / "small")
    settings = folder / "small" / "config.yaml"
    config = yaml.safe_load(settings.read_text()) | {
        "folder": "studies/first",
        "store": str(place / 'it\'s the "ωther" störe, 100 %'),
        "resources": str(resources),
        "shards": 8,
        "grammar": {"shards": 2},
    }
    settings.write_text(yaml.safe_dump(config))
    limited = ("--max-threads", "1")
    environment = {"PYTHONHASHSEED": "2", "LC_ALL": "C", "TZ": "Pacific/Kiritimati"}
    with sent_out() as how:
        told = snakemake(folder, *how, *limited, *SENT_OUT, environment=environment)
    told += snakemake(folder, "--cores", "2", *limited, environment=environment)
    return Elsewhere(folder, folder / "studies" / "first", told)


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
