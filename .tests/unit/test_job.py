"""How jobs end and tell how far they are: in one line, on full disks and at Ctrl-C too."""

import multiprocessing
import os
import pty
import signal
import subprocess
import sys
import termios
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.job import progress_bar, run_job
from tqdm import tqdm

SCRIPTS = Path(__file__).resolve().parents[2] / "workflow" / "scripts"
INTERRUPTED = "ERROR interrupted; run again to continue\n"
JOB = """
import sys
from types import SimpleNamespace
from hinter import job
snakemake = SimpleNamespace(input=sys.argv[2:])
with job.logged_to(sys.argv[1]):
"""


def _program(body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return [sys.executable, "-c", JOB + lines]


def _run(body: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [*_program(body), *map(str, arguments)]
    return subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True, check=False)


def test_files_are_paths_where_they_are_annotated_as_such(tmp_path: Path) -> None:
    given: dict[str, object] = {}

    def main(
        *, read: Path, missing: Path | None, named: str, several: list[str], size: int, made: Path
    ) -> None:
        given.update(locals())

    job = SimpleNamespace(
        log=[str(tmp_path / "log")],
        resources={},
        input={"read": "a", "missing": [], "named": "b", "several": ["c"]},
        params={"settings": {"size": 1}},
        output={"made": "d"},
    )
    run_job(main, job)
    del given["given"]
    assert given == {
        **{"read": Path("a"), "missing": None, "named": "b", "several": ["c"]},
        **{"size": 1, "made": Path("d")},
    }


# Signals.

WAITING = """
import time
print("waiting", file=sys.__stdout__, flush=True)
try:
    time.sleep(600)
finally:
    {cleanup}
"""


@pytest.mark.parametrize("cleanup", ["pass", "raise RuntimeError('left half done')"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_an_interrupted_job_says_so_in_one_line(
    number: signal.Signals, cleanup: str, tmp_path: Path
) -> None:
    command = [*_program(WAITING.format(cleanup=cleanup)), tmp_path / "log"]
    with subprocess.Popen(
        command, cwd=SCRIPTS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(number)
        told, _ = process.communicate()
    assert (process.returncode, told) == (130, "")
    assert (tmp_path / "log").read_text() == INTERRUPTED


def test_another_failure_keeps_its_traceback(tmp_path: Path) -> None:
    done = _run("raise KeyError('x')", tmp_path / "log")
    assert done.returncode == 1
    log = (tmp_path / "log").read_text()
    assert log.startswith("ERROR the job failed\nTraceback")
    assert log.endswith("KeyError: 'x'\n")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        ("InputError(where='x.csv', found='a', expected='b', fix='C.')", "ERROR x.csv: found a;"),
        ("OSError(28, 'No space left on device')", "ERROR disk: found no space left;"),
        ("KeyError('x')", "KeyError: 'x'"),
    ],
)
def test_an_error_names_the_part_of_the_job_that_failed(
    error: str, line: str, tmp_path: Path
) -> None:
    body = "from hinter.errors import InputError\nwith job.naming('table good'): pass\n"
    done = _run(f"{body}with job.naming('table bad'):\n    raise {error}", tmp_path / "log")
    log = (tmp_path / "log").read_text()
    assert done.returncode == 1
    assert log.startswith("INFO table good\nINFO table bad\nERROR ")
    assert line in log
    assert log.endswith("(table bad)\n")


# Disks and files.

WRITERS = {
    "Parquet": "import pyarrow as pa, pyarrow.parquet as pq\n"
    "pq.write_table(pa.table({'a': [str(i) * 99 for i in range(20000)]}), snakemake.input[0])",
    "DuckDB": 'import duckdb\nduckdb.execute(f"copy (select md5(range::text) from range(400000))'
    " to '{snakemake.input[0]}' (format parquet)\")",
    "CSV": "import pandas as pd\npd.DataFrame({'a': range(200000)}).to_csv(snakemake.input[0])",
    "a temporary file": "import tempfile\nfrom pathlib import Path\n"
    "from hinter import database as db\n"
    "tempfile.tempdir = str(Path(snakemake.input[0]).parent)\n"
    "db.DEFAULT = db.Limits(memory_mb=100, threads=1)\n"
    "db.open_database().execute('create table big as select md5(range::text) from range(4000000)')",
    "text": "open(snakemake.input[0], 'w').write('x' * 2_000_000)",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk_is_told_in_one_line(writer: str, disk: Path, tmp_path: Path) -> None:
    done = _run(WRITERS[writer], tmp_path / "log", disk / "made")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert line.startswith(
        "ERROR disk: found no space left; expected space for results and temporary files"
    )
    assert line.endswith("Free some space and run again: the study continues from there.")


def test_a_full_disk_that_has_the_log_is_told_on_the_terminal(disk: Path) -> None:
    (disk / "log").touch()
    body = "import os\nwith open(snakemake.input[0], 'wb', buffering=0) as file:\n"
    body += "    while True:\n        file.write(b'x' * 4096)"
    done = _run(body, disk / "log", disk / "made")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        "ERROR disk: found no space left; expected space for results and temporary files"
    )


@pytest.mark.parametrize("writer", WRITERS)
def test_a_disk_that_is_only_read_is_told_in_one_line(
    writer: str, disk: Path, tmp_path: Path
) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    done = _run(WRITERS[writer], tmp_path / "log", disk / "made")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert "found no permission (" in line
    assert line.endswith("Correct its permissions, or run in another folder.")


def test_a_log_that_cannot_be_written_is_told_on_the_terminal(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    done = _run("pass", disk / "log")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{disk}/log: found no permission (")


READERS = {
    "Arrow": "import pyarrow.parquet as pq\n"
    "for path in snakemake.input:\n"
    "    for batch in pq.ParquetFile(path).iter_batches():\n        pass",
    "DuckDB": "import duckdb\nfor path in snakemake.input:\n"
    "    duckdb.execute(f\"select * from read_parquet('{path}')\").fetchall()",
}


@pytest.mark.parametrize("damage", ["cut off", "inside"])
@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_input_is_told_by_its_name(reader: str, damage: str, tmp_path: Path) -> None:
    sound, damaged = tmp_path / "sound.parquet", tmp_path / "damaged.parquet"
    pq.write_table(pa.table({"a": [os.urandom(20).hex() for _ in range(5000)]}), sound)
    content, half = sound.read_bytes(), sound.stat().st_size // 2
    rest = content[half + 3000 :] if damage == "inside" else b""
    damaged.write_bytes(content[:half] + b"\0" * 3000 + rest)
    done = _run(READERS[reader], tmp_path / "log", sound, damaged)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert line.startswith(f"ERROR {damaged}: found a damaged file (")
    assert "expected a whole Parquet file. Delete it and run again" in line


# Progress.

COUNTING = """
import time
job.LINE_EVERY_S = 0.2
spent = iter(range(1000))
note = lambda: f"${next(spent)} spent"
with job.progress_bar(total=10, label="predict", unit=" texts", note=note) as bar:
    for _ in range(10):
        time.sleep(PAUSE)
        bar.update()
"""


def test_where_nobody_watches_progress_is_a_line_at_a_time_in_the_log_and_outside(
    tmp_path: Path,
) -> None:
    done = _run(COUNTING.replace("PAUSE", "0.15"), tmp_path / "log")
    log = (tmp_path / "log").read_text().splitlines()
    assert 3 <= len(log) <= 9
    assert all(" of 10 texts, " in line and "texts/s, " in line for line in log)
    assert all(line.startswith("INFO predict: ") and " spent" in line for line in log)
    assert "predict: 10 of 10 texts" in log[-1]
    assert done.stderr.splitlines() == [
        f"{tmp_path / 'log'}: {line.removeprefix('INFO ')}" for line in log
    ]


def test_a_short_job_tells_no_progress_where_nobody_watches(tmp_path: Path) -> None:
    done = _run(COUNTING.replace("PAUSE", "0"), tmp_path / "log")
    assert (done.returncode, done.stderr, (tmp_path / "log").read_text()) == (0, "", "")


def test_a_terminal_shows_a_bar(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    command = [*_program(COUNTING.replace("PAUSE", "0.15")), str(tmp_path / "log")]
    with subprocess.Popen(command, cwd=SCRIPTS, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        # The other end is closed.
        except OSError:
            os.close(ours)
    assert process.returncode == 0
    assert b"100%|" in shown
    assert b" spent" in shown
    assert (tmp_path / "log").read_text() == ""


def test_a_process_that_is_killed_in_the_middle_of_a_line_stops_no_other() -> None:
    # Others are made by forking, as fetches are, and share what was made before.
    _show_progress()
    fork = multiprocessing.get_context("fork")
    killed = fork.Process(target=_killed_with_the_lock)
    killed.start()
    killed.join(60)
    assert killed.exitcode == -signal.SIGKILL
    other = fork.Process(target=_show_progress)
    other.start()
    other.join(60)
    alive = other.is_alive()
    other.kill()
    assert not alive


def _killed_with_the_lock() -> None:
    with tqdm.get_lock():
        os.kill(os.getpid(), signal.SIGKILL)


def _show_progress() -> None:
    with progress_bar(total=1, label="fetch", unit="B"):
        pass
