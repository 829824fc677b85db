"""Queries stay within the memory, the threads and the temporary folder that a job was given."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
from hinter import database
from hinter.database import Limits, open_database
from hinter.provenance import SCRIPTS, used_modules
from made_up_study import MUTANTS_PER_ORIGINAL

RULES = SCRIPTS.parent / "rules"
MUTANTS = 1_000_000
# Judged at once, so many mutants took 890 MB.
MOST_MB = 600
JUDGE = r"""
import re, sys
from pathlib import Path
from hinter import database
from hinter.oracle import judge_mutants
folder = Path(sys.argv[1])
database.DEFAULT = database.Limits(memory_mb=1000, threads=2)
suite, predictions = folder / "suites" / "d.parquet", folder / "predictions" / "m" / "d.parquet"
judge_mutants(suite, predictions, folder / "judged_again.parquet", outcome_statuses=[])
print(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1])
"""
MAKE = """
import sys
from pathlib import Path
from made_up_study import make_dataset
print(make_dataset(Path(sys.argv[1]), dataset="d", models=["m"], originals=int(sys.argv[2])))
"""
# They use other functions of modules that query.
QUERY_NOTHING = {
    *("build_probe", "compare_comparators", "plot_figures", "gather_shards", "generate_mutants"),
    "rewrite_prompts",
}


@pytest.fixture(autouse=True)
def limits() -> Iterator[None]:
    """Leave the limits of this process as they were."""
    before = database.DEFAULT
    yield
    database.DEFAULT = before


def test_a_connection_has_half_of_the_job_s_memory_and_its_threads() -> None:
    database.DEFAULT = Limits(memory_mb=3000, threads=3)
    query = "SELECT current_setting('memory_limit'), current_setting('threads')"
    assert open_database().execute(query).fetchall() == [("1.3 GiB", 3)]


@pytest.mark.parametrize(
    ("memory_mb", "found"), [(3000, ("1.3 GiB", 3)), ("<TBD>", ("953.6 MiB", 2))]
)
def test_without_limits_a_connection_has_those_of_the_job(
    memory_mb: object, found: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = SimpleNamespace(resources=SimpleNamespace(mem_mb=memory_mb), threads=3)
    monkeypatch.setattr(sys.modules["__main__"], "snakemake", job, raising=False)
    query = "SELECT current_setting('memory_limit'), current_setting('threads')"
    assert open_database().execute(query).fetchall() == [found]


def test_what_does_not_fit_goes_to_the_job_s_temporary_folder_and_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "job").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "job"))
    monkeypatch.chdir(tmp_path / "project")
    database.DEFAULT = Limits(memory_mb=100, threads=1)
    connection = open_database()
    connection.execute("CREATE TABLE big AS SELECT md5(x::VARCHAR) AS y FROM range(4_000_000) t(x)")
    (spilled,) = (tmp_path / "job").iterdir()
    assert sum(path.stat().st_size for path in spilled.iterdir()) > 10_000_000
    connection.close()
    assert list((tmp_path / "job").iterdir()) == []
    assert list((tmp_path / "project").iterdir()) == []


def _told(program: str, folder: Path, *arguments: str) -> str:
    """Run a program in a process of its own and return the last word that it told."""
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder), *arguments],
        env={"PYTHONPATH": ":".join(sys.path), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()[-1]


@pytest.mark.release
def test_the_oracle_holds_no_more_than_some_originals_at_once(tmp_path: Path) -> None:
    made = int(_told(MAKE, tmp_path, str(MUTANTS // MUTANTS_PER_ORIGINAL)))
    assert int(_told(JUDGE, tmp_path)) < MOST_MB * 1000
    assert pq.read_metadata(tmp_path / "judged_again.parquet").num_rows == made > 0.99 * MUTANTS


def test_nothing_but_the_one_function_connects() -> None:
    for path in (SCRIPTS).rglob("*.py"):
        connects = re.search(r"duckdb\.(connect|execute|sql|query|read_\w+)\(", path.read_text())
        assert bool(connects) == (path.name == "database.py"), path


@pytest.mark.parametrize("stage", ["resources", "dictionary", "report", "predictions"])
def test_rules_that_run_where_you_called_say_what_they_need_too(stage: str) -> None:
    rules = (RULES / f"{stage}.smk").read_text()
    for body in re.split(r"^rule ", rules, flags=re.MULTILINE)[1:]:
        assert "mem_mb=growing(" in body, body
        assert "runtime=growing(" in body, body


def test_every_rule_whose_script_queries_says_what_it_needs() -> None:
    database_module = SCRIPTS / "hinter" / "database.py"
    querying = {
        script.stem
        for script in SCRIPTS.glob("*.py")
        if database_module in used_modules(script.name)
    }
    rules = "\n".join(path.read_text() for path in RULES.glob("*.smk"))
    for body in re.split(r"^(?:    )?rule\b", rules, flags=re.MULTILINE)[1:]:
        script = re.search(r"scripts/(\w+)\.py", body)
        if script and script[1] in querying - QUERY_NOTHING:
            assert "mem_mb=growing(" in body, body
            assert "runtime=growing(" in body, body
