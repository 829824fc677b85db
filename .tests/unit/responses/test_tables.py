"""Damage to a store of responses: told of, asked again, never believed, and never a raw error."""

import json
import logging
import multiprocessing
import os
import random
import re
import signal
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hinter.errors import InputError
from hinter.responses import Asker, ResponseStore, tables
from tries import tries

TOLD = re.compile(
    r"(\S+) is damaged \(.+\): (\d+) responses are requested again, (\d+) of which cannot be read. "
    r"The others are kept in its table damaged, with the keys: (.+)"
)
ANSWERS = {f"{number:032x}": f"{number} is good" for number in range(150)}


class Words:
    """A model whose responses are JSON, and which notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        self.asked += texts
        yield [(place, json.dumps({"answer": text})) for place, text in enumerate(texts)]

    def read(self, response: str) -> str:
        answer: str = json.loads(response)["answer"]
        return answer


def _ask(folder: Path) -> tuple[dict[str, str], list[str]]:
    """Return what the texts in `ANSWERS` mean, and what had to be asked for it."""
    model, store = Words(), ResponseStore(folder, fingerprint="model")
    found = Asker(model, store).ask(ANSWERS, advance=lambda _: None)
    return found, model.asked


def _fill(folder: Path) -> Path:
    """Write a store of several pages, with rows added in no order of their keys, and return it."""
    store = ResponseStore(folder, fingerprint="model")
    keys = random.Random(1).sample(sorted(ANSWERS), len(ANSWERS))
    for key in keys:
        store.add({key: json.dumps({"answer": ANSWERS[key]})})
    return folder / "model.sqlite"


@pytest.mark.long
@tries(150, 1500)
def test_any_flipped_bit_is_harmless_or_told_of_and_is_never_believed(
    tried: int, memory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What is asked again is told of, with file and key, unless the file is refused whole."""
    sound = _fill(memory).read_bytes()
    assert len(sound) >= 5 * 4096
    draws = random.Random(7)
    met = {"harmless": 0, "asked again": 0, "refused": 0}
    for bit in draws.sample(range(8 * len(sound)), tried):
        content = bytearray(sound)
        content[bit // 8] ^= 1 << bit % 8
        (memory / "model.sqlite").write_bytes(content)
        caplog.clear()
        try:
            found, asked = _ask(memory)
        except InputError as error:
            assert str(error).startswith(f"{memory / 'model.sqlite'}: found a file that cannot")
            met["refused"] += 1
            continue
        assert found == ANSWERS, bit
        met["asked again" if asked else "harmless"] += 1
        if asked:
            (record,) = caplog.records
            told = TOLD.fullmatch(record.getMessage())
            assert told, bit
            assert told[1] == str(memory / "model.sqlite"), bit
            keys = [key for key in told[4].split(", ") if key != "(none)"]
            assert int(told[2]) == len(keys) + int(told[3]) == len(asked), bit
    assert min(met.values()) > tried / 200, met
    # One damaged row must not take the others with it.
    assert met["refused"] < tried / 20, met


def test_what_is_damaged_is_kept_apart_and_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = _fill(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"77 is good", b"77 is goad"))
    key = f"{77:032x}"
    assert _ask(tmp_path) == (ANSWERS, ["77 is good"])
    assert [record.getMessage() for record in caplog.records] == [
        f"{path} is damaged (a row and its digest do not agree): 1 responses are requested again, "
        f"0 of which cannot be read. The others are kept in its table damaged, with the keys: {key}"
    ]
    with closing(sqlite3.connect(path)) as connection:
        ((kept, response, _),) = connection.execute("SELECT * FROM damaged").fetchall()
    assert (kept.decode(), response.decode()) == (key, '{"answer": "77 is goad"}')
    caplog.clear()
    assert _ask(tmp_path) == (ANSWERS, [])
    assert not caplog.records


def test_a_row_under_another_key_is_not_believed(tmp_path: Path) -> None:
    path = _fill(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER no_update")
        for old, new in ((3, "x"), (4, f"{3:032x}"), ("x", f"{4:032x}")):
            key = old if old == "x" else f"{old:032x}"
            connection.execute("UPDATE responses SET key = ? WHERE key = ?", [new, key])
        connection.commit()
    found, asked = _ask(tmp_path)
    assert found == ANSWERS
    assert sorted(asked) == ["3 is good", "4 is good"]


def test_the_store_of_another_model_is_not_believed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _fill(tmp_path).rename(tmp_path / "other.sqlite")
    store = ResponseStore(tmp_path, fingerprint="other")
    assert store.get(list(ANSWERS)) == {}
    assert f"{len(ANSWERS)} responses are requested again" in caplog.text
    assert "and 130 more" in caplog.text


def test_after_damage_responses_are_still_only_ever_added(tmp_path: Path) -> None:
    path = _fill(tmp_path)
    path.write_bytes(path.read_bytes().replace(b"77 is good", b"77 is goad"))
    _ask(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        for change in ("UPDATE responses SET response = ''", "DELETE FROM responses"):
            with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
                connection.execute(change)


def test_a_page_that_cannot_be_read_takes_no_other_with_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = _fill(tmp_path)
    content = bytearray(path.read_bytes())
    leaves = {place // 4096 for place in _places(content, b" is good")}
    page = sorted(leaves)[1] * 4096
    lost = content.count(b" is good", page, page + 4096)
    content[page : page + 8] = bytes(8)
    path.write_bytes(content)
    found, asked = _ask(tmp_path)
    assert found == ANSWERS
    # A row may go with the error that follows it, on either side.
    assert lost <= len(asked) <= lost + 2
    assert "malformed" in caplog.text
    caplog.clear()
    assert _ask(tmp_path) == (ANSWERS, [])
    assert not caplog.records


def _places(content: bytes | bytearray, part: bytes) -> list[int]:
    return [match.start() for match in re.finditer(part, content)]


def test_senseless_responses_are_asked_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = ResponseStore(tmp_path, fingerprint="model")
    keys = [f"{number:032x}" for number in (77, 78)]
    store.add(dict(zip(keys, ('{"ansver": "77 is good"}', '{"answer" "78 is good"}'), strict=True)))
    found, asked = _ask(tmp_path)
    assert found == ANSWERS
    assert len(asked) == len(ANSWERS)
    assert f"{keys[0]}, {keys[1]}" in caplog.text
    assert _ask(tmp_path) == (ANSWERS, [])


def test_a_sensible_response_is_not_set_aside_in_the_place_of_a_senseless_one(
    tmp_path: Path,
) -> None:
    """Another job may have set that aside, and asked again, meanwhile."""
    store = ResponseStore(tmp_path, fingerprint="model")
    store.add({"key": "good"})
    store.set_aside({"key": "bad"})
    assert store.get(["key"]) == {"key": "good"}


def _fill_damaged(folder: Path) -> None:
    path = _fill(folder)
    path.write_bytes(path.read_bytes().replace(b"77 is good", b"77 is goad"))


@pytest.mark.long
def test_several_jobs_repair_a_store_at_once(tmp_path: Path) -> None:
    _fill_damaged(tmp_path)
    jobs = [
        multiprocessing.get_context("fork").Process(target=_ask, args=[tmp_path]) for _ in range(4)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [job.exitcode for job in jobs] == [0] * 4
    assert _ask(tmp_path) == (ANSWERS, [])


def _die_while_repairing(folder: Path) -> None:
    rows = tables._readable_rows

    def some_rows(reader: Any) -> Iterator[tuple[Any, ...]]:
        for number, row in enumerate(rows(reader)):
            if number == 100:
                os.kill(os.getpid(), signal.SIGKILL)
            yield row

    tables._readable_rows = some_rows
    _ask(folder)


def test_a_job_killed_while_it_repairs_a_store_loses_nothing(tmp_path: Path) -> None:
    _fill_damaged(tmp_path)
    job = multiprocessing.get_context("fork").Process(target=_die_while_repairing, args=[tmp_path])
    job.start()
    job.join()
    assert job.exitcode == -signal.SIGKILL
    assert _ask(tmp_path) == (ANSWERS, ["77 is good"])


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "model.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mail (text TEXT)")
    content = path.read_bytes()
    with pytest.raises(InputError, match="not a store of responses"):
        ResponseStore(tmp_path, fingerprint="model")
    assert path.read_bytes() == content


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    """Return a folder in memory, where there is one: disks take their time for each change."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(dir=shared if shared.is_dir() else tmp_path) as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def warnings_only(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
