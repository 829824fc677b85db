"""Ledger and store of responses are compared, and what is lost is told of once."""

from pathlib import Path

import pytest
from hinter.models.endpoint.budget import Ledger
from hinter.predictions.opened import compare_account
from hinter.responses import ResponseStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store" / "budget.sqlite"


@pytest.fixture
def store(tmp_path: Path) -> ResponseStore:
    return ResponseStore(tmp_path / "store", fingerprint="m")


def _answer(ledger: Ledger, store: ResponseStore, *, kept: int, lost: int = 0) -> None:
    """Pay for answers, of which some are kept."""
    first = len(store)
    for number in range(kept + lost):
        ledger.settle(ledger.reserve(10), 7, fingerprint="m", answers=1)
        if number < kept:
            store.add({f"{first + number}": "yes"})


def _told(ledger: Ledger, store: ResponseStore, caplog: pytest.LogCaptureFixture) -> str:
    caplog.clear()
    compare_account(ledger, store)
    return caplog.text


def test_nothing_is_told_while_ledger_and_responses_agree(
    path: Path, store: ResponseStore, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = Ledger(path, None)
    assert not _told(ledger, store, caplog)
    _answer(ledger, store, kept=5)
    assert not _told(ledger, store, caplog)
    with store.claimed(["a", "b"]):
        ledger.settle(ledger.reserve(10), 7, fingerprint="m", answers=1)
        # Paid, and not kept yet.
        assert not _told(ledger, store, caplog)


@pytest.mark.parametrize("how", ["deleted", "emptied", "of another day"])
def test_responses_that_are_lost_are_told_of_once(
    how: str, path: Path, store: ResponseStore, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = Ledger(path, None)
    _answer(ledger, store, kept=3)
    before = store.path.read_bytes()
    _answer(ledger, store, kept=2)
    store.path.unlink()
    if how != "deleted":
        store.path.write_bytes(before if how == "of another day" else b"")
    again = ResponseStore(store.path.parent, fingerprint="m")
    lost = 2 if how == "of another day" else 5
    assert f"{store.path}: {lost} answers that {path} counts are missing" in _told(
        ledger, again, caplog
    )
    assert not _told(ledger, again, caplog)
    _answer(ledger, again, kept=lost)
    assert not _told(ledger, again, caplog)
    assert ledger.sums() == ((5 + lost) * 7, 0)


@pytest.mark.parametrize("how", ["deleted", "emptied", "of another day"])
def test_a_ledger_that_is_lost_is_told_of_once(
    how: str, path: Path, store: ResponseStore, caplog: pytest.LogCaptureFixture
) -> None:
    _answer(Ledger(path, None), store, kept=3)
    before = path.read_bytes()
    _answer(Ledger(path, None), store, kept=2)
    path.unlink()
    if how != "deleted":
        path.write_bytes(before if how == "of another day" else b"")
    again = Ledger(path, None)
    unknown = 2 if how == "of another day" else 5
    assert f"{path} has no record of {unknown} responses in {store.path}" in _told(
        again, store, caplog
    )
    assert not _told(again, store, caplog)


def test_responses_that_are_set_aside_are_no_loss_to_the_ledger(
    path: Path, store: ResponseStore, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = Ledger(path, None)
    _answer(ledger, store, kept=5)
    store.set_aside({"2": "yes"})
    assert not _told(ledger, store, caplog)
