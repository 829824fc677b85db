"""The store of responses: nothing lost, nothing twice, whoever writes, whenever one is killed."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
from importlib.metadata import version
from itertools import count
from multiprocessing.synchronize import Event
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.errors import InputError
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.responses import ResponseStore, read_source, source_metadata

TEXTS = ["", "Article 3.", "two\nlines", "\u0301", "\U0001f469\u200d", "a" * 100_000, '"{}"']


def test_what_is_added_is_found_again(tmp_path: Path) -> None:
    added = {f"key{number}": text for number, text in enumerate(TEXTS)}
    ResponseStore(tmp_path, fingerprint="model").add(added)
    again = ResponseStore(tmp_path, fingerprint="model")
    assert again.get([*added, "unknown"]) == added
    assert len(again) == len(TEXTS)


def test_many_keys_are_found_at_once(tmp_path: Path) -> None:
    store = ResponseStore(tmp_path, fingerprint="model")
    added = {f"key{number}": str(number) for number in range(50_000)}
    store.add(added)
    assert store.get(list(added)) == added


def test_each_model_has_its_own_responses(tmp_path: Path) -> None:
    ResponseStore(tmp_path, fingerprint="one").add({"key": "mine"})
    assert ResponseStore(tmp_path, fingerprint="other").get(["key"]) == {}


def test_the_first_response_stays(tmp_path: Path) -> None:
    store = ResponseStore(tmp_path, fingerprint="model")
    store.add({"key": "first"})
    store.add({"key": "second", "other": "new"})
    assert store.get(["key", "other"]) == {"key": "first", "other": "new"}


@pytest.mark.parametrize("change", ["UPDATE responses SET response = ''", "DELETE FROM responses"])
def test_responses_are_only_ever_added(change: str, tmp_path: Path) -> None:
    ResponseStore(tmp_path, fingerprint="model").add({"key": "answer"})
    connection = sqlite3.connect(tmp_path / "model.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        connection.execute(change)
    connection.close()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.sqlite").write_bytes(b"no database " * 100)
    with pytest.raises(InputError, match=r"model\.sqlite: found a file that cannot be used"):
        ResponseStore(tmp_path, fingerprint="model")


def test_a_full_disk_loses_no_response_and_with_space_left_jobs_go_on(disk: Path) -> None:
    store = ResponseStore(disk, fingerprint="model")
    added: dict[str, str] = {}
    with pytest.raises(InputError, match="with space left on its disk"):
        for number in count():
            new = {f"key{number}": "a" * 10_000}
            store.add(new)
            added |= new
    assert len(added) > 5
    later = ResponseStore(disk, fingerprint="model")
    assert later.get(list(added)) == added
    subprocess.run(["mount", "-o", "remount,size=3m", str(disk)], check=True)
    later.add({"later": "a" * 10_000})
    store.add({"last": "a" * 10_000})
    assert set(later.get([*added, "later", "last", new.popitem()[0]])) == {*added, "later", "last"}


def _add_many(folder: Path, *, writer: int, count: int) -> None:
    store = ResponseStore(folder, fingerprint="model")
    for number in range(count):
        store.add({f"shared{number}": "same", f"own{writer}-{number}": str(number)})


def test_several_jobs_share_a_store(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    jobs = [
        context.Process(target=_add_many, args=(tmp_path,), kwargs={"writer": job, "count": 40})
        for job in range(3)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [job.exitcode for job in jobs] == [0, 0, 0]
    assert len(ResponseStore(tmp_path, fingerprint="model")) == 40 + 3 * 40


def _add_for_ever(folder: Path, told: Path, started: Event) -> None:
    """Add responses and note each on the disk once it was added."""
    store = ResponseStore(folder, fingerprint="model")
    with told.open("a") as notes:
        for number in range(10**9):
            store.add({str(number): "answer"})
            notes.write(f"{number}\n")
            notes.flush()
            if number == 20:
                started.set()


def test_a_killed_job_loses_no_response(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for _ in range(3):
        started = context.Event()
        job = context.Process(target=_add_for_ever, args=(tmp_path, tmp_path / "told", started))
        job.start()
        assert started.wait(timeout=60)
        assert job.pid is not None
        os.kill(job.pid, signal.SIGKILL)
        job.join()
        noted = (tmp_path / "told").read_text().splitlines()
        store = ResponseStore(tmp_path, fingerprint="model")
        assert store.get(noted) == dict.fromkeys(noted, "answer")


def test_a_file_names_the_model_and_the_libraries_of_its_answers(tmp_path: Path) -> None:
    schema = PREDICTIONS_SCHEMA.with_metadata(source_metadata("f"))
    pq.write_table(schema.empty_table(), tmp_path / "told.parquet")
    libraries = {name: version(name) for name in ("torch", "transformers")}
    source = read_source(tmp_path / "told.parquet")
    assert source is not None
    assert source.fingerprint == "f"
    assert {name: libraries[name].split("+")[0] for name in libraries} == {
        name: number.split("+")[0] for name, number in source.libraries.items()
    }


def test_a_file_that_does_not_say_has_no_source(tmp_path: Path) -> None:
    pq.write_table(PREDICTIONS_SCHEMA.empty_table(), tmp_path / "untold.parquet")
    assert read_source(tmp_path / "untold.parquet") is None
