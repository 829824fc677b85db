"""A study of a model behind an unreliable endpoint: planned, capped, killed, resumed, shared."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from faults import FAULTS, Call, FaultyProxy, body, running
from replaying import jobs_of
from runs import checkout, copy_finished, snakemake, start
from serving import serving
from transformers import AutoTokenizer

HERE = Path(__file__).resolve().parent
KEY, KEY_VARIABLE = "sk-neverShowThisToAnyone", "SMALL_STUDY_KEY"
ENVIRONMENT = {KEY_VARIABLE: KEY}
CONTEXT_TOKENS, CONCURRENCY, REPEATS, CASE_ANSWERS = 320, 2, 2, 12
# Runs are killed when the store holds so many answers, and the next ones are waited for; but for a
# release, only at the first of them.
KILLED_AT = sorted(random.Random(7).sample(range(3, 10), 3))
PREDICTIONS, REPEATED, CASES = (
    f"results/{kind}/tiny/notes.parquet" for kind in ("predictions", "repeats", "cases")
)
PREDICTED = "results/shards/notes/tiny/1-of-1.parquet"
PLAN_ROW = re.compile(r"^ *tiny +notes +(\w[\w -]*?) +(\d+) +\d+ +\d+ +([0-9.]+)$", re.MULTILINE)
PARTS = ["originals", "repeats", "held-out texts", "mutants of order 1", "mutants of order 2"]
PARTS.append("cases")
# One that never answers only takes time.
PASSING = {name: fault for name, fault in FAULTS.items() if name != "slow"}


class Gate(FaultyProxy):
    """A proxy that, while closed, lets no more than `limit` calls through to the server."""

    def __init__(self, upstream: str) -> None:
        super().__init__(upstream, faults=PASSING, share=0.5)
        self.served = self.limit = 0
        self.open = threading.Event()
        self.open.set()
        self._turn = threading.Lock()

    def begin(self, handler: Any, request: bytes) -> tuple[Call, str | None]:
        call, fault = super().begin(handler, request)
        if fault is None:
            with self._turn:
                self.served += 1
                number = self.served
            if number > self.limit:
                self.open.wait()
        return call, fault


class Step(NamedTuple):
    """What a command printed, and how many calls had come, were served and kept when it was done.

    `listed` are the command lines of its processes while they wait for answers.
    """

    printed: str
    calls: int
    served: int
    kept: int
    listed: str = ""


@pytest.fixture(scope="module")
def gguf(thorough: bool, request: pytest.FixtureRequest) -> Path:
    """Return the model that is served, of which a part answers fast, but hardly ever a label."""
    path: Path = request.getfixturevalue("whole_gguf" if thorough else "shallow_gguf")
    return path


@pytest.fixture(scope="module")
def proxy(gguf: Path) -> Iterator[Gate]:
    with (
        serving(gguf, context_tokens=CONTEXT_TOKENS, key=KEY) as address,
        running(Gate(address)) as proxy,
    ):
        yield proxy


@pytest.fixture(scope="module")
def tokenizer(gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokenizer")
    words = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    words.save_pretrained(folder)
    return folder


def _checkout(folder: Path, *, root: Path, resources: Path, tokenizer: Path, proxy: Gate) -> Path:
    checkout(folder, root=root, resources=resources, config=HERE / "endpoint")
    shutil.copytree(tokenizer, folder / "small" / "tokenizer")
    model = {
        "about": "a small model behind an unreliable endpoint",
        "kind": "endpoint",
        "base_url": proxy.url,
        "model": "smollm2",
        "key_variable": KEY_VARIABLE,
        "tokenizer": "small/tokenizer",
        "context_tokens": CONTEXT_TOKENS,
        "concurrency": CONCURRENCY,
        "timeout_seconds": 600,
    }
    (folder / "small" / "models.yaml").write_text(yaml.safe_dump({"tiny": model}))
    return folder


@pytest.fixture(scope="module")
def folder(
    root: Path,
    resources: Path,
    checks: Path,
    tokenizer: Path,
    proxy: Gate,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    place = tmp_path_factory.mktemp("first") / "study"
    _checkout(place, root=root, resources=resources, tokenizer=tokenizer, proxy=proxy)
    shutil.copytree(checks, place / "store" / "checks")
    return place


@pytest.mark.release
def test_a_model_that_is_not_served_stops_the_study_before_any_work(
    root: Path, resources: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    folder = checkout(tmp_path / "study", root=root, resources=resources, config=HERE / "endpoint")
    with running(FaultyProxy(faults={}, models=body(b'{"data": [{"id": "other"}]}'))) as proxy:
        model = {"about": "ours", "kind": "endpoint", "base_url": proxy.url, "model": "smollm2"}
        sheet = {"tiny": model | {"tokenizer": "cl100k_base"}}
        (folder / "small" / "models.yaml").write_text(yaml.safe_dump(sheet))
        printed = snakemake(folder, "--cores", "1", environment=forks, succeeds=False)
    assert "found the models other; expected smollm2 among them" in printed
    made = [path for path in (folder / "results").rglob("*") if path.is_file()]
    assert {path.suffix for path in made} == {".log"}


@pytest.fixture(scope="module")
def environment(forks: dict[str, str]) -> dict[str, str]:
    """Return the variables of runs that are not killed."""
    return {**ENVIRONMENT, **forks}


def _counted(printed: str, folder: Path, proxy: Gate) -> Step:
    return Step(printed, proxy.calls.total(), proxy.served, _answers(folder / "store"))


@pytest.fixture(scope="module")
def planned(folder: Path, proxy: Gate, environment: dict[str, str]) -> Step:
    printed = snakemake(folder, "--cores", "1", "plan", environment=environment)
    return _counted(printed, folder, proxy)


@pytest.fixture(scope="module")
def refused(planned: Step, folder: Path, proxy: Gate, environment: dict[str, str]) -> Step:
    """A run with three quarters of the money that is planned."""
    command = ("--cores", "1", "--config", f"budget_usd={0.75 * sum(_dollars(planned.printed))}")
    printed = snakemake(folder, *command, environment=environment, succeeds=False)
    return _counted(printed, folder, proxy)


@pytest.fixture(scope="module")
def killed_at(thorough: bool) -> list[int]:
    return KILLED_AT if thorough else KILLED_AT[:1]


@pytest.fixture(scope="module")
def killed(refused: Step, killed_at: list[int], folder: Path, proxy: Gate) -> Step:
    """Runs that are killed with all their jobs while these wait for answers."""
    kept = 0
    for answers in killed_at:
        # The last one leaves its lock, as a run that is killed does.
        lock = ["--nolock"] if answers != killed_at[-1] else []
        step = _kill(folder, proxy, *lock, new=answers - kept)
        kept = step.kept
    return step


def _kill(folder: Path, proxy: Gate, *arguments: str, new: int) -> Step:
    """Run the study, and kill it once so many new answers are in its store."""
    proxy.limit = proxy.served + new
    proxy.open.clear()
    command, kept = ("--cores", "1", *arguments), _answers(folder / "store")
    with start(folder, *command, environment=ENVIRONMENT, start_new_session=True) as process:
        try:
            while (
                proxy.served < proxy.limit + CONCURRENCY or _answers(folder / "store") < kept + new
            ):
                assert process.poll() is None
                time.sleep(0.1)
            listed = _command_lines(process.pid)
        finally:
            # Where it has ended by itself, there is none.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            proxy.open.set()
        printed, _ = process.communicate()
    return _counted(printed, folder, proxy)._replace(listed=listed)


@pytest.fixture(scope="module")
def finished(killed: Step, folder: Path, proxy: Gate, environment: dict[str, str]) -> Step:
    """The run that ends the study, and leaves the scripts of its jobs and all that they read."""
    printed = snakemake(folder, "--unlock", environment=environment)
    command = ("--cores", "1", "--skip-script-cleanup", "--notemp")
    printed += snakemake(folder, *command, environment=environment)
    return _counted(printed, folder, proxy)


def _command_lines(session: int) -> str:
    """Return the command lines of all processes of a session, as a list of processes has them."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        # A process may end meanwhile.
        with suppress(OSError):
            if os.getsid(int(path.parent.name)) == session:
                lines.append(path.read_bytes().decode(errors="replace"))
    return "\n".join(lines)


def _calls(printed: str) -> list[int]:
    return [int(calls) for _, calls, _ in PLAN_ROW.findall(printed)]


def _dollars(printed: str) -> list[float]:
    return [float(dollars) for _, _, dollars in PLAN_ROW.findall(printed)]


def _answers(store: Path) -> int:
    """Return how many answers the store holds."""
    (path,) = {*(store / "responses").glob("*.sqlite")} - {store / "responses" / "spending.sqlite"}
    with closing(sqlite3.connect(path, timeout=60)) as connection:
        return int(connection.execute("SELECT count(*) FROM responses").fetchone()[0])


def _asked(folder: Path) -> int:
    """Return how many answers predictions and repeats are made of, by what the model saw."""
    predictions = pq.read_table(folder / PREDICTIONS).to_pandas()
    run = predictions[predictions["status"] != "identical"]
    suite = pq.read_table(folder / "results/suites/notes.parquet").to_pandas()
    originals = run[run["input_id"].isin(suite["original_id"])]
    return run["input_hash"].nunique() + (REPEATS - 1) * originals["input_hash"].nunique()


def test_a_plan_tells_calls_and_dollars_and_makes_no_call(planned: Step) -> None:
    assert [part for part, _, _ in PLAN_ROW.findall(planned.printed)] == PARTS
    total = f"at most ${sum(_dollars(planned.printed)):.2f}, after $0.00 spent before"
    assert total in planned.printed
    assert planned.calls == 0


def test_a_budget_too_small_is_refused_with_an_offer_before_any_call(refused: Step) -> None:
    assert refused.printed.count("key 'budget_usd': found a plan of up to $") == 1
    assert "approve_plan failed (results/logs/approve_plan.log):\nERROR " in refused.printed
    assert re.search(r"with `suite: \{originals: [1-4]\}` it fits", refused.printed)
    assert refused.calls == 0


def test_a_killed_run_keeps_its_answers(killed: Step, killed_at: list[int], folder: Path) -> None:
    assert killed.kept == killed_at[-1]
    # All are asked for by one job.
    assert killed.served - killed.kept == len(killed_at) * CONCURRENCY
    assert not (folder / PREDICTIONS).exists()


def test_the_next_run_asks_what_is_missing_and_every_input_has_its_row(
    planned: Step, killed: Step, finished: Step, folder: Path, proxy: Gate
) -> None:
    corpus = pq.read_table(folder / "results/corpora/notes.parquet").to_pandas()
    suite = pq.read_table(folder / "results/suites/notes.parquet").to_pandas()
    held_out = corpus.loc[corpus["split"] == "held_out", "original_id"]
    inputs = {*held_out, *suite["original_id"], *suite["mutant_id"]}
    predictions = pq.read_table(folder / PREDICTIONS).to_pandas()
    assert predictions["input_id"].tolist() == sorted(inputs)
    repeated = pq.read_table(folder / REPEATED).to_pandas()
    originals = set(suite["original_id"])
    assert len(repeated) == REPEATS * len(originals)
    assert set(repeated["original_id"]) == originals
    assert len(proxy.met) == len(PASSING)
    assert _asked(folder) == sum(_calls(planned.printed)) - CASE_ANSWERS
    assert _asked(folder) <= finished.kept <= sum(_calls(planned.printed))
    # Beside what was in flight when runs were killed, no answer was given twice.
    assert finished.served == finished.kept + killed.served - killed.kept > killed.served


@pytest.mark.release
def test_the_tables_tell_of_answers_and_of_the_noise_floor(finished: Step, folder: Path) -> None:
    answers = pd.read_csv(folder / "results/tables/answers.csv")
    statuses = ["ok", "identical", "none", "refused", "unparsed"]
    assert answers[statuses].to_numpy().sum() == len(pq.read_table(folder / PREDICTIONS))
    (noise,) = pd.read_csv(folder / "results/tables/noise_floor.csv").to_dict("records")
    assert noise["repeats"] == noise["originals"] == len(pq.read_table(folder / REPEATED)) / 2
    for case in pq.read_table(folder / CASES).to_pylist():
        assert case["repeats"] == REPEATS >= case["times_biased"] > 0
    assert "Answers by status" in (folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture
def unasked(finished: Step, folder: Path, tmp_path: Path) -> list[Path]:
    """Return two copies of the study as it was before its model was asked, without a store."""
    studies = [copy_finished(folder, tmp_path / name, "store") for name in ("one", "two")]
    for study in studies:
        for made in (PREDICTED, PREDICTIONS, REPEATED, CASES):
            (study / made).unlink()
    return studies


def _begin(place: Path, made: str, environment: dict[str, str]) -> "subprocess.Popen[str]":
    """Run the job that makes a file once more, as Snakemake would."""
    (job,) = (job for job in jobs_of(place) if made in job.outputs)
    return subprocess.Popen(
        [environment["ASK_FORKS"], job.script],
        cwd=place,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _end_well(*processes: "subprocess.Popen[str]") -> None:
    """Wait for all, so that none is left where one has failed."""
    printed = [process.communicate()[0] for process in processes]
    assert not any(process.returncode for process in processes), printed


def test_a_second_study_with_the_same_store_asks_nothing(
    unasked: list[Path], finished: Step, folder: Path, proxy: Gate, environment: dict[str, str]
) -> None:
    other, _ = unasked
    (other / "store").symlink_to(folder / "store")
    for name in (PREDICTED, PREDICTIONS, REPEATED, CASES):
        _end_well(_begin(other, name, environment))
        assert proxy.calls.total() == finished.calls
    for name in (PREDICTIONS, REPEATED, CASES):
        assert (other / name).read_bytes() == (folder / name).read_bytes()


def test_two_studies_at_once_ask_each_text_once(
    unasked: list[Path], proxy: Gate, environment: dict[str, str], tmp_path: Path
) -> None:
    before, store = proxy.served, tmp_path / "store"
    store.mkdir()
    for study in unasked:
        (study / "store").symlink_to(store)
    _end_well(*(_begin(study, PREDICTED, environment) for study in unasked))
    one, two = ((study / PREDICTED).read_bytes() for study in unasked)
    assert one == two
    assert proxy.served - before == _answers(store) > 10


def test_the_key_is_in_no_file_and_in_no_output(
    planned: Step, refused: Step, killed: Step, finished: Step, folder: Path
) -> None:
    for step in (planned, refused, killed, finished):
        assert KEY not in step.printed + step.listed
    assert "predict_suite" in killed.listed
    files = [path for path in folder.rglob("*") if path.is_file()]
    written = [path for path in files if "resources" not in path.relative_to(folder).parts]
    assert any(path.suffix == ".sqlite" for path in written)
    assert any("predict_suite" in path.parts for path in written)
    for path in written:
        assert KEY.encode() not in path.read_bytes(), path
