"""Where the time of the tests goes: seconds, Snakemake's starts and jobs, by files and their kinds.

What each test took travels to the process that reports, which writes `times.csv` beside the tests
and prints its sums.
"""

import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

FILE = Path(__file__).resolve().with_name("times.csv")
COLUMNS = ("seconds", "processor", "starts", "jobs")
SHOWN = 12


class Spent(NamedTuple):
    """What was spent until now: seconds of the clock and of the processor, and Snakemake's work."""

    seconds: float
    processor: float
    starts: int
    jobs: int


class Accounts:
    """Counts in one process of tests; what its own processes take counts once they have ended."""

    def __init__(self) -> None:
        self._starts, self._jobs = 0, 0
        self._folders: set[Path] = set()
        self._read: set[Path] = set()
        self._since = time.time()
        sys.addaudithook(self._on_event)

    def spent(self) -> Spent:
        """Return what was spent until now."""
        self._count_jobs()
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        processor = sum(part.ru_utime + part.ru_stime for part in used)
        return Spent(time.perf_counter(), processor, self._starts, self._jobs)

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" and _is_snakemake(arguments[1]):
            self._starts += 1
            self._folders.add(Path(arguments[2] or ".").absolute())

    def _count_jobs(self) -> None:
        """Count the jobs in Snakemake's own logs; copies of earlier studies have older ones."""
        for folder in self._folders:
            for log in set(folder.glob(".snakemake/log/*.log")) - self._read:
                self._read.add(log)
                if log.stat().st_mtime >= self._since:
                    self._jobs += log.read_text("utf-8", "replace").count("Finished jobid")
        self._folders.clear()


def _is_snakemake(command: Any) -> bool:
    return isinstance(command, Sequence) and any(
        Path(str(word)).name == "snakemake" for word in command
    )


ACCOUNTS = Accounts()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what is spent by a test with all that is set up for it."""
    before = ACCOUNTS.spent()
    item.user_properties.append(("began", before))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[pytest.TestReport]:
    """Send what was spent with the last report of a test."""
    report = yield
    if call.when == "teardown":
        (began,) = (value for name, value in item.user_properties if name == "began")
        spent = [round(now - then, 3) for now, then in zip(ACCOUNTS.spent(), began, strict=True)]
        report.user_properties = [("spent", spent)]
    else:
        report.user_properties = []
    return report


_BY_FILE: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * len(COLUMNS))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add what a test took to the sums of its file."""
    for name, spent in report.user_properties:
        if name == "spent":
            sums = _BY_FILE[report.nodeid.partition("::")[0]]
            sums[:] = [total + part for total, part in zip(sums, spent, strict=True)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write what each file took, and print the sums by kind and the files that took most."""
    if not _BY_FILE:
        return
    table = pd.DataFrame.from_dict(_BY_FILE, orient="index", columns=COLUMNS).rename_axis("file")
    table = table.sort_values("processor", ascending=False).round(1)
    table.astype({"starts": int, "jobs": int}).to_csv(FILE)
    kinds = table.groupby(lambda file: "/".join(Path(file).parts[1:3]).removesuffix(".py")).sum()
    kinds.loc["all"] = kinds.sum()
    shown = kinds.sort_values("processor", ascending=False).head(SHOWN)
    terminalreporter.section(f"where the time goes (by file in {FILE.name})")
    terminalreporter.write_line(shown.round(1).to_string(index_names=False))
