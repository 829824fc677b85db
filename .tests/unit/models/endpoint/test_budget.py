"""The budget holds for all jobs together, to the nano-dollar, and outlives a killed one."""

import os
import random
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from math import ceil
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hinter.errors import InputError
from hinter.models.endpoint import ledger_file
from hinter.models.endpoint.budget import BudgetReached, Ledger, Prices, Spending
from hinter.models.endpoint.completions import Tokens
from hypothesis import given
from hypothesis import strategies as st

PRICE = st.decimals(min_value=0, max_value=200, places=4).map(float)
TOKENS = st.integers(min_value=0, max_value=10**7)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "budget.sqlite"


def _run(job: Callable[[], object], *, times: int = 1) -> list[int | None]:
    """Run `job` in several processes at once and return their exit codes."""
    processes = [get_context("fork").Process(target=job) for _ in range(times)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [process.exitcode for process in processes]


def _settle(ledger: Ledger, reservation: int, nano_dollars: int) -> None:
    ledger.settle(reservation, nano_dollars, fingerprint="m", answers=1)


@given(PRICE, PRICE, TOKENS, TOKENS)
def test_a_price_is_exact_and_rounded_up(asks: float, says: float, asked: int, said: int) -> None:
    exact = 1000 * (Fraction(str(asks)) * asked + Fraction(str(says)) * said)
    assert Prices(asks, says).cost(input_tokens=asked, output_tokens=said) == ceil(exact)


def test_the_last_nano_dollar_can_be_spent_and_no_more(path: Path) -> None:
    ledger = Ledger(path, 0.3)
    first = ledger.reserve(100_000_000)
    ledger.reserve(200_000_000)
    with pytest.raises(BudgetReached):
        ledger.reserve(1)
    _settle(ledger, first, 99_999_999)
    ledger.reserve(1)
    with pytest.raises(BudgetReached):
        ledger.reserve(1)
    assert ledger.sums() == (99_999_999, 200_000_001)


def test_without_a_cap_spending_is_only_noted(path: Path) -> None:
    ledger = Ledger(path, None)
    for _ in range(3):
        _settle(ledger, ledger.reserve(10**15), 7)
    assert ledger.sums() == (21, 0)
    assert Ledger(path, 1.0).sums() == (21, 0)


def test_tokens_are_spent_at_their_prices(path: Path) -> None:
    ledger = Ledger(path, 1.0)
    spending = Spending(ledger, Prices(0.5, 1.5))
    reservation = spending.reserve(input_tokens=1000, output_tokens=100)
    assert ledger.sums() == (0, 650_000)
    spending.settle(reservation, Tokens(900, 10), fingerprint="m", answers=1)
    assert ledger.sums() == (465_000, 0)


def test_jobs_at_once_never_pass_the_cap(path: Path) -> None:
    def spend() -> None:
        ledger = Ledger(path, 1e-7)
        for _ in range(60):
            try:
                _settle(ledger, ledger.reserve(3), 2)
            except BudgetReached:
                continue

    assert _run(spend, times=4) == [0] * 4
    spent, reserved = Ledger(path, None).sums()
    assert reserved == 0
    assert 98 <= spent <= 100


def test_a_killed_job_leaves_its_reservation_and_a_sound_file(path: Path) -> None:
    def die() -> None:
        ledger = Ledger(path, 1.0)
        _settle(ledger, ledger.reserve(5), 4)
        ledger.reserve(5)
        with ledger._file.transaction() as connection:
            connection.execute("update spent set nano_dollars = 0")
            os.kill(os.getpid(), signal.SIGKILL)

    assert _run(die) == [-signal.SIGKILL]
    assert Ledger(path, 1.0).sums() == (4, 5)


def test_the_message_says_what_is_spent_and_how_to_go_on(path: Path) -> None:
    ledger = Ledger(path, 2.5)
    _settle(ledger, ledger.reserve(10**9), 10**9)
    ledger.reserve(10**9)
    with pytest.raises(InputError) as caught:
        ledger.reserve(750_000_000)
    message = str(caught.value)
    for part in (
        str(path),
        "$1 spent",
        "$1 reserved",
        "of $2.5;",
        "at most $0.75",
        "kept",
        "Raise",
    ):
        assert part in message
    assert "\n" not in message


def test_the_journal_is_one_that_network_file_systems_bear(path: Path) -> None:
    Ledger(path, None)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma journal_mode").fetchone() == ("delete",)


@pytest.mark.parametrize("damage", ["not a database\n" * 100, None])
def test_a_file_that_is_no_ledger_is_refused(path: Path, damage: str | None) -> None:
    path.parent.mkdir()
    if damage is None:
        path.mkdir()
    else:
        path.write_text(damage)
    with pytest.raises(InputError, match=r"budget \(.*budget.sqlite\): found .*SQLite file"):
        Ledger(path, 1.0)


# Damage to the ledger, and its creation.

FLIPS = 1000


def _fill(path: Path) -> Ledger:
    ledger = Ledger(path, None)
    for number in range(40):
        reservation = ledger.reserve(10**9 + number)
        if number % 2:
            ledger.settle(reservation, 10**8 + number, fingerprint=f"m{number % 4}", answers=1)
    return ledger


@pytest.mark.long
def test_any_flipped_bit_is_harmless_or_refused(path: Path) -> None:
    sums = _fill(path).sums()
    answers = {name: Ledger(path, None).answers(name) for name in ("m1", "m3")}
    sound = path.read_bytes()
    refused = 0
    for bit in random.Random(3).sample(range(8 * len(sound)), FLIPS):
        content = bytearray(sound)
        content[bit // 8] ^= 1 << bit % 8
        path.write_bytes(content)
        try:
            ledger = Ledger(path, None)
            assert ledger.sums() == sums, bit
            assert {name: ledger.answers(name) for name in answers} == answers, bit
        except InputError as error:
            assert str(error).startswith(f"budget ({path}): found a file that cannot be used")
            refused += 1
    # Most of a small file is empty.
    assert FLIPS / 20 < refused < FLIPS


def test_jobs_that_start_together_create_one_ledger(path: Path) -> None:
    def run() -> None:
        Ledger(path, None).reserve(7)

    assert _run(run, times=4) == [0] * 4
    assert Ledger(path, None).sums() == (0, 28)


def test_a_database_that_is_no_ledger_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("create table spent (nano_dollars integer not null);")
    content = path.read_bytes()
    with pytest.raises(InputError, match="not a ledger"):
        Ledger(path, None)
    assert path.read_bytes() == content


def test_a_job_killed_while_it_creates_a_ledger_leaves_none(path: Path) -> None:
    def die() -> None:
        ledger_file.TABLES.insert(-1, "select kill()")
        connect = sqlite3.connect

        def connected(*arguments: Any, **options: Any) -> sqlite3.Connection:
            connection = connect(*arguments, **options)
            connection.create_function("kill", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
            return connection

        ledger_file.sqlite3.connect = connected
        Ledger(path, None)

    assert _run(die) == [-signal.SIGKILL]
    assert Ledger(path, None).sums() == (0, 0)


def test_a_reservation_that_is_gone_is_told_of(path: Path) -> None:
    ledger = Ledger(path, None)
    reservation = ledger.reserve(5)
    _settle(ledger, reservation, 4)
    with pytest.raises(InputError, match=f"no reservation {reservation}"):
        _settle(ledger, reservation, 4)
    assert ledger.sums() == (4, 0)


def test_a_loss_that_another_job_has_told_of_is_not_told_again(path: Path) -> None:
    ledger = Ledger(path, None)
    assert ledger.correct_answers("m", counted=0, right=5)
    assert not ledger.correct_answers("m", counted=0, right=5)
    assert ledger.answers("m") == 5
