"""The watch on speed tells which ratios are worse, and knows every benchmark that it can run."""

from pathlib import Path

import pytest
import run

BEFORE = {
    "bench.py": {"speedup_two_jobs": 2.0, "ratio_to_reading": 4.0, "server_share_of_best": 0.8}
}


def test_nothing_is_said_of_ratios_that_are_alike_or_better() -> None:
    assert run.worse(BEFORE, than=BEFORE) == []
    now = {
        "bench.py": {
            "speedup_two_jobs": 1.75,
            "ratio_to_reading": 1.0,
            "server_share_of_best": 0.9,
        },
        "new.py": {"ratio": 9.0},
    }
    assert run.worse(now, than=BEFORE) == []


@pytest.mark.parametrize(
    ("name", "now"),
    [("speedup_two_jobs", 1.7), ("ratio_to_reading", 4.7), ("server_share_of_best", 0.6)],
)
def test_a_ratio_that_is_worse_by_more_than_15_percent_is_told(name: str, now: float) -> None:
    measured = {"bench.py": BEFORE["bench.py"] | {name: now}}
    (line,) = run.worse(measured, than=BEFORE)
    assert line == f"bench.py: {name} is {now}, and was {BEFORE['bench.py'][name]}"


def test_a_ratio_that_is_no_longer_measured_is_told() -> None:
    measured = {"bench.py": {"speedup_two_jobs": 2.0, "server_share_of_best": 0.8}}
    (line,) = run.worse(measured, than=BEFORE)
    assert "ratio_to_reading is no longer measured" in line


def test_every_benchmark_is_run_of_which_small_sizes_tell_something(root: Path) -> None:
    scripts = {path.name for path in (root / "benchmarks").glob("bench_*.py")}
    apart = ("domain", "load", "peers", "plan", "report", "scaling", "slurm", "stages")
    assert scripts - set(run.SMALL) == {f"bench_{name}.py" for name in apart}
    assert set(run.SMALL) <= scripts
