"""Jobs that share a store at the same time: each text is asked by one of them, whichever dies."""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic, sleep

import pytest
from faults import Call, FaultyProxy, completion, running
from hinter.config import Models, check_sheet
from hinter.errors import InputError
from hinter.models import ParsedAnswer, Status
from hinter.models.endpoint.calling import MAX_ATTEMPTS
from hinter.models.endpoint.client import Endpoint
from hinter.models.endpoint.pausing import PATIENCE_S
from hinter.models.endpoint.settings import EndpointSettings
from hinter.models.endpoint.token_counters import open_token_counter
from hinter.responses import Asker, ResponseStore, claims, store

TEXTS = {f"{number:032x}": f"Text {number}." for number in range(30)}
CONCURRENCY = 4
YES = completion(message={"content": "yes"}, finish_reason="stop")


class WordsParser:
    def read(self, answer: str, *, cut: bool) -> ParsedAnswer:
        return ParsedAnswer(Status.OK, ("yes",), answer)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "POLL_S", 0.05)


def _slowly(call: Call) -> None:
    sleep(0.1)
    YES(call)


@pytest.fixture
def proxy() -> Iterator[FaultyProxy]:
    """A server that answers each call after a tenth of a second."""
    with running(FaultyProxy(faults={"answer": _slowly})) as proxy:
        yield proxy


@pytest.fixture
def study(resources: Path, tmp_path: Path, proxy: FaultyProxy) -> Callable[[], None]:
    """A study that asks all texts and must get all answers."""
    counter = open_token_counter(resources / "cl100k_base")

    def run() -> None:
        endpoint = Endpoint(
            EndpointSettings(proxy.url, "m", context_tokens=400, concurrency=CONCURRENCY),
            messages=lambda text: [{"role": "user", "content": text}],
            parser=WordsParser(),
            counter=counter,
        )
        store = ResponseStore(tmp_path / "store", fingerprint="model")
        answers = Asker(endpoint, store).ask(TEXTS, advance=lambda _: None)
        assert {key: parsed.answer for key, parsed in answers.items()} == dict.fromkeys(
            TEXTS, "yes"
        )

    return run


def _start(job: Callable[[], None]) -> BaseProcess:
    process = get_context("fork").Process(target=job)
    process.start()
    return process


def _until(happened: Callable[[], bool]) -> None:
    begun = monotonic()
    while not happened():
        assert monotonic() - begun < 60
        sleep(0.01)


def test_two_studies_at_once_ask_each_text_once(
    study: Callable[[], None], proxy: FaultyProxy
) -> None:
    processes = [_start(study) for _ in range(2)]
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert proxy.calls.total() == len(TEXTS)


def test_what_a_killed_job_was_asking_is_asked_at_once(
    study: Callable[[], None], proxy: FaultyProxy
) -> None:
    """What was in flight is asked again, and nothing else; nobody waits for the lease."""
    first = _start(study)
    _until(lambda: proxy.calls.total() >= 10)
    second = _start(study)
    _until(lambda: proxy.calls.total() >= 18)
    assert first.pid is not None
    os.kill(first.pid, signal.SIGKILL)
    begun = monotonic()
    second.join()
    assert second.exitcode == 0
    assert monotonic() - begun < 30 < claims.LEASE_S
    first.join()
    assert len(TEXTS) < proxy.calls.total() <= len(TEXTS) + CONCURRENCY


def test_the_lease_is_longer_than_the_longest_call_that_a_sheet_allows() -> None:
    """With all attempts, the waiting between them, and the time for which calls are put off."""
    longest_s = 600
    endpoint = {"about": "ours", "kind": "endpoint", "model": "m", "tokenizer": "cl100k_base"}
    endpoint |= {"base_url": "http://localhost:8000/v1"}

    def check(seconds: float) -> None:
        sheet = {"mine": endpoint | {"timeout_seconds": seconds}}
        check_sheet(sheet, Models, where="models.yaml")

    check(longest_s)
    with pytest.raises(InputError, match=r"'mine\.timeout_seconds': found 601; .* at most 600:"):
        check(longest_s + 1)
    pauses_s = sum(min(60, 0.5 * 2**attempt) for attempt in range(MAX_ATTEMPTS - 1))
    assert MAX_ATTEMPTS * longest_s + pauses_s + PATIENCE_S < claims.LEASE_S


class Echo:
    """A model in this process: says what it is asked, once it may."""

    def __init__(self, may: threading.Event | None = None) -> None:
        self.asked: list[str] = []
        self._may = may

    def responses(self, texts: list[str]) -> Iterator[list[tuple[int, str]]]:
        for position, text in enumerate(texts):
            self.asked.append(text)
            if self._may and position:
                self._may.wait()
            yield [(position, text)]

    def read(self, response: str) -> str:
        return response


def _ask(model: Echo, folder: Path, *, told: list[int]) -> dict[str, str]:
    store = ResponseStore(folder, fingerprint="model")
    return Asker(model, store).ask(TEXTS, advance=told.append)  # type: ignore[arg-type]


def test_a_job_that_waits_takes_the_answers_as_they_come(tmp_path: Path) -> None:
    may, first_told, second_told = threading.Event(), [], []
    first, second = Echo(may), Echo()
    threads = [
        threading.Thread(target=_ask, args=[first, tmp_path], kwargs={"told": first_told}),
        threading.Thread(target=_ask, args=[second, tmp_path], kwargs={"told": second_told}),
    ]
    threads[0].start()
    _until(lambda: sum(first_told) == 1)
    threads[1].start()
    _until(lambda: sum(second_told) == 1)
    may.set()
    for thread in threads:
        thread.join()
    assert first.asked == list(TEXTS.values())
    assert second.asked == []
    assert sum(first_told) == sum(second_told) == len(TEXTS)


def test_claims_end_with_a_failure_and_the_lock_with_its_job(tmp_path: Path) -> None:
    class Failing(Echo):
        def responses(self, texts: list[str]) -> Iterator[list[tuple[int, str]]]:
            yield [(0, texts[0])]
            raise InputError(where="there", found="x", expected="y", fix="z")

    with pytest.raises(InputError):
        _ask(Failing(), tmp_path, told=[])
    assert [path.name for path in tmp_path.iterdir()] == ["model.sqlite"]
    model = Echo()
    assert _ask(model, tmp_path, told=[]) == TEXTS
    assert len(model.asked) == len(TEXTS) - 1


def test_the_claims_of_a_job_that_stands_still_are_taken_over_after_the_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By the clock of the job that waits alone, and not while the other one answers."""
    caplog.set_level(logging.WARNING)
    now, never = [0.0], threading.Event()
    monkeypatch.setattr(claims, "monotonic", lambda: now[0])
    stands_still = threading.Thread(
        target=_ask, args=[Echo(never), tmp_path], kwargs={"told": (told := [])}, daemon=True
    )
    stands_still.start()
    _until(lambda: told == [0, 1])
    model, store = Echo(), ResponseStore(tmp_path, fingerprint="model")
    with store.claimed(list(TEXTS)) as mine:
        assert mine == set()
    now[0] = claims.LEASE_S
    assert store.count_received() == (1, len(TEXTS) - 1)
    now[0] += 1
    assert Asker(model, store).ask(TEXTS, advance=lambda _: None) == TEXTS  # type: ignore[arg-type]
    assert len(model.asked) == len(TEXTS) - 1
    assert f"{tmp_path / 'model.sqlite'}: the job with the lock model." in caplog.text
    assert "its 29 texts are asked again, and may be paid for twice" in caplog.text
    never.set()
    stands_still.join()
    assert len(store) == len(TEXTS)


def test_a_damaged_claim_holds_nobody(tmp_path: Path) -> None:
    store = ResponseStore(tmp_path, fingerprint="model")
    connection = store._tables.connection
    jobs = ["../else", "a\x00b", "", "x" * 5000, b"\xff\xfe", 7]
    connection.executemany("INSERT INTO claims VALUES (?, ?)", zip(TEXTS, jobs, strict=False))
    assert _ask(Echo(), tmp_path, told=[]) == TEXTS
