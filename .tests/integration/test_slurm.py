"""The workflow on a cluster: a real Slurm of one node, with four made-up GPUs."""

from pathlib import Path
from typing import NamedTuple

import pytest
from runs import checkout, sent_out, snakemake
from slurm.one_node import GPUS, obstacle

RULES = f"""
import sys

sys.path.append("workflow/scripts")

configfile: "config/config.yaml"
include: "workflow/rules/common.smk"

rule all:
    input:
        "given.txt",
        "never.txt",
        expand("gpu/{{job}}.txt", job=range({GPUS})),

# Fails at its first try.
rule need_more:
    output:
        "given.txt"
    resources:
        runtime=growing(90)
    shell:
        "squeue --noheader --job $SLURM_JOB_ID --format '%m %l' >>tried.txt;"
        " test $(wc -l <tried.txt) = 2 && cp tried.txt {{output}}"

rule fail:
    output:
        "never.txt"
    log:
        "fail.log"
    retries: 0
    shell:
        "echo The reason is number $((6 * 7)). >{{log}}; exit 1"

# Ends when all have their GPUs at once.
rule need_gpu:
    output:
        "gpu/{{job}}.txt"
    resources:
        gpu=1
    shell:
        "echo $CUDA_VISIBLE_DEVICES >{{output}};"
        " until test $(ls gpu | wc -l) = {GPUS}; do sleep 0.1; done"
"""
WITHOUT_SLURM = obstacle()
pytestmark = pytest.mark.skipif(WITHOUT_SLURM is not None, reason=str(WITHOUT_SLURM))


class Trial(NamedTuple):
    """A folder in which rules have run that note what Slurm gave them, and what was printed."""

    folder: Path
    printed: str


@pytest.fixture(scope="module")
def trial(
    root: Path, resources: Path, small: Path, tmp_path_factory: pytest.TempPathFactory
) -> Trial:
    folder = tmp_path_factory.mktemp("b") / "study"
    checkout(folder, root=root, resources=resources, config=small)
    (folder / "trial.smk").write_text(RULES)
    rules = ("--snakefile", "trial.smk", "--keep-going")
    with sent_out() as how:
        return Trial(folder, snakemake(folder, *rules, *how, succeeds=False))


def test_a_job_that_fails_is_reported_with_its_log(trial: Trial) -> None:
    assert "Error in rule fail" in trial.printed
    assert "The reason is number 42." in trial.printed


def test_a_job_that_failed_is_given_twice_the_memory_and_the_time(trial: Trial) -> None:
    given = (trial.folder / "given.txt").read_text().splitlines()
    assert given == ["2000M 1:30:00", "4000M 3:00:00"]


def test_jobs_side_by_side_have_gpus_of_their_own(trial: Trial) -> None:
    given = [path.read_text().strip() for path in (trial.folder / "gpu").iterdir()]
    assert sorted(given) == [str(number) for number in range(GPUS)]
