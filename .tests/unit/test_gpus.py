"""Jobs of one machine share out its GPUs: real processes, real locks, real Snakemake.

The GPUs are names in `CUDA_VISIBLE_DEVICES`: a claim never opens a device, so none is needed.
"""

import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter import gpus
from hinter.config import read_config
from hinter.errors import InputError
from hinter.gpus import VISIBLE, claimed_gpus, visible_gpus
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "workflow" / "scripts"
# Claims GPUs, tells which and since when, and holds them until its input ends. What would wait for
# ever is ended by the alarm.
HOLDER = """
import logging, os, signal, sys, time
from pathlib import Path
from hinter import gpus
gpus.LOCKS = Path(sys.argv[1])
signal.alarm(120)
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
with gpus.claimed_gpus(int(sys.argv[2])):
    print(os.environ["CUDA_VISIBLE_DEVICES"], time.monotonic(), flush=True)
    sys.stdin.read()
    print(time.monotonic(), flush=True)
"""
# Each job waits until four have begun, which they only do side by side.
SNAKEFILE = """
rule all:
    input: expand("{job}.txt", job=range(8))

rule use:
    output: written="{job}.txt"
    log: "{job}.log"
    resources: gpu=1
    script: "use.py"
"""
JOB = """
import os, signal, time
from pathlib import Path
from hinter import gpus, job
gpus.LOCKS = Path("locks")
signal.alarm(120)
def main(written):
    gpu, start = os.environ["CUDA_VISIBLE_DEVICES"], time.monotonic()
    Path(f"{snakemake.wildcards.job}.begun").touch()
    while len(list(Path().glob("*.begun"))) < 4:
        time.sleep(0.05)
    Path(written).write_text(f"{gpu} {start} {time.monotonic()}")
job.run_job(main, snakemake)
"""


class Holder:
    """A process that holds GPUs, or waits for them."""

    def __init__(self, locks: Path, *, count: int, environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(locks), str(count)],
            env={"PATH": "", "PYTHONPATH": str(SCRIPTS)} | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.start = self.end = 0.0

    def told(self) -> str:
        """Return the GPUs it says to hold, or that it waits for some."""
        assert self.process.stdout
        line = self.process.stdout.readline().strip()
        if line.startswith("waiting"):
            return line
        names, start = line.split()
        self.start = float(start)
        return names

    def held(self) -> str:
        """Return the GPUs that it holds, once it does."""
        told = self.told()
        return self.told() if told.startswith("waiting") else told

    def release(self) -> None:
        """Let it end."""
        told, _ = self.process.communicate()
        self.end = float(told)


Hold = Callable[..., Holder]


@pytest.fixture
def hold(tmp_path: Path) -> Iterator[Hold]:
    """Start processes that claim GPUs; those left at the end are killed."""
    with ExitStack() as stack:

        def start(visible: str | None, *, count: int = 1, path: str = "") -> Holder:
            environment = {"PATH": path} | ({} if visible is None else {VISIBLE: visible})
            holder = Holder(tmp_path / "locks", count=count, environment=environment)
            stack.enter_context(holder.process)
            stack.callback(holder.process.kill)
            return holder

        yield start


@pytest.fixture
def driverless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Hide the machine's GPUs, and return the folder of the locks."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv(VISIBLE, raising=False)
    monkeypatch.setattr(gpus, "LOCKS", tmp_path / "locks")
    gpus._read_uuids.cache_clear()
    yield tmp_path / "locks"
    gpus._read_uuids.cache_clear()


def _driver(folder: Path, uuids: Sequence[str]) -> str:
    """Return a search path with an nvidia-smi that lists GPUs, for machines that have none."""
    folder.mkdir()
    listed = "\n".join(f"{index}, {uuid}" for index, uuid in enumerate(uuids))
    (folder / "nvidia-smi").write_text(f"#!/bin/sh\necho '{listed}'\n")
    (folder / "nvidia-smi").chmod(0o755)
    return str(folder)


def _never_meet(intervals: Mapping[str, list[tuple[float, float]]]) -> bool:
    return all(
        before[1] < after[0]
        for times in intervals.values()
        for before, after in pairwise(sorted(times))
    )


def test_eight_processes_share_four_gpus_and_never_meet(hold: Hold) -> None:
    holders = [hold("0,1,2,3") for _ in range(8)]
    told = [holder.told() for holder in holders]
    waits = "waiting for 1 of the GPUs 0, 1, 2, 3"
    assert sorted(told) == ["0", "1", "2", "3", waits, waits, waits, waits]
    first = [holder for holder, said in zip(holders, told, strict=True) if said != waits]
    later = [holder for holder in holders if holder not in first]
    for holder in first:
        holder.release()
    told += [holder.told() for holder in later]
    assert sorted(told[8:]) == ["0", "1", "2", "3"]
    for holder in later:
        holder.release()
    intervals = defaultdict(list)
    for holder, name in zip(first + later, [said for said in told if said != waits], strict=True):
        intervals[name].append((holder.start, holder.end))
    assert {name: len(times) for name, times in intervals.items()} == dict.fromkeys("0123", 2)
    assert _never_meet(intervals)


def test_the_gpu_of_a_killed_process_is_taken_again(hold: Hold) -> None:
    first = hold("0")
    assert first.held() == "0"
    second = hold("0")
    assert second.told().startswith("waiting")
    first.process.send_signal(signal.SIGKILL)
    assert second.told() == "0"


def test_a_job_for_two_gpus_keeps_none_while_it_waits(hold: Hold) -> None:
    one = hold("0,1")
    assert one.held() == "0"
    both = hold("0,1", count=2)
    assert both.told() == "waiting for 2 of the GPUs 0, 1"
    other = hold("0,1")
    assert other.held() == "1"
    one.release()
    other.release()
    assert both.told() == "0,1"


def test_two_jobs_for_all_gpus_both_get_them(hold: Hold) -> None:
    holders = [hold("0,1", count=2) for _ in range(2)]
    told = {holder.told(): holder for holder in holders}
    told.pop("0,1").release()
    ((_, waiting),) = told.items()
    assert waiting.told() == "0,1"


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        ("2,3", ["2", "3"]),
        ("", []),
        ("-1", []),
        ("0, 1,-1,2", ["0", "1"]),
        ("NoDevFiles", []),
        ("GPU-5f,MIG-6a", ["GPU-5f", "MIG-6a"]),
    ],
)
def test_an_existing_setting_is_honoured(
    setting: str, names: list[str], driverless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VISIBLE, setting)
    assert list(visible_gpus()) == names


def test_the_setting_is_back_when_the_claim_ends(
    driverless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VISIBLE, "2,3")
    with claimed_gpus(1):
        assert os.environ[VISIBLE] == "2"
    assert os.environ[VISIBLE] == "2,3"


def test_more_gpus_than_there_are_are_refused(
    driverless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VISIBLE, "2,3")
    with pytest.raises(InputError, match=r"found 3 GPUs asked for and 2 visible: 2, 3;"):
        claimed_gpus(3).__enter__()


@pytest.mark.parametrize(("count", "setting"), [(1, None), (1, ""), (0, "0,1")])
def test_without_gpus_or_need_nothing_changes(
    count: int, setting: str | None, driverless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if setting is not None:
        monkeypatch.setenv(VISIBLE, setting)
    with claimed_gpus(count):
        assert os.environ.get(VISIBLE) == setting
    assert not driverless.exists()


def test_the_gpus_of_the_machine_are_known_by_their_uuids(hold: Hold, tmp_path: Path) -> None:
    path = _driver(tmp_path / "driver", ["GPU-aa", "GPU-bb"])
    assert [hold(None, path=path).held() for _ in range(2)] == ["GPU-aa", "GPU-bb"]
    assert hold(None, path=path).told() == "waiting for 1 of the GPUs GPU-aa, GPU-bb"


def test_one_gpu_by_two_names_is_one(hold: Hold, tmp_path: Path) -> None:
    path = _driver(tmp_path / "driver", ["GPU-aa", "GPU-bb"])
    assert hold("1", path=path).held() == "1"
    assert hold("GPU-bb", path=path).told().startswith("waiting")


def test_two_gpus_by_one_name_are_two(hold: Hold, tmp_path: Path) -> None:
    """Slurm may show each job its own GPU alone, as number 0."""
    for job in ("GPU-aa", "GPU-bb"):
        assert hold("0", path=_driver(tmp_path / job, [job])).told() == "0"


def test_jobs_with_temporary_folders_of_their_own_meet(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from hinter.gpus import LOCKS; print(LOCKS)"],
        env={"PYTHONPATH": str(SCRIPTS), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == str(gpus.LOCKS)


def _study(**invariant: Any) -> Study:
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    config |= {"datasets": ["imdb", "ledgar"], "models": ["minilm", "bert", "gpt-3.5"]}
    config |= {"invariant": invariant}
    return Study(read_config(config))


@pytest.mark.parametrize(("visible", "automatic"), [("", 0), ("0", 1), ("0,1", 1)])
def test_jobs_ask_for_a_gpu_where_they_would_use_one(
    visible: str, automatic: int, driverless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv(VISIBLE, visible)
    study = _study(parser={"device": "auto"})
    assert [study.gpus(model) for model in study.models] == [automatic, 1, 0]
    assert study.parser_gpus() == automatic
    assert _study().parser_gpus() == 0


@pytest.mark.release
@pytest.mark.long
def test_snakemake_runs_eight_jobs_on_four_gpus(tmp_path: Path) -> None:
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    (tmp_path / "use.py").write_text(JOB)
    command = [sys.executable, "-m", "snakemake", "--cores", "8", "--resources", "gpu=4"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS), VISIBLE: "0,1,2,3"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    intervals = defaultdict(list)
    for job in tmp_path.glob("*.txt"):
        gpu, start, end = job.read_text().split()
        intervals[gpu].append((float(start), float(end)))
    assert sorted(intervals) == ["0", "1", "2", "3"]
    assert sum(map(len, intervals.values())) == 8
    assert _never_meet(intervals)
