"""The store of checks: what is known is found again, and damage never makes a check wrong."""

import copy
import io
import logging
import multiprocessing
import pickle
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hinter.invariant import CheckStore, Comparator, Parser, Reason
from hinter.invariant.comparators import Change
from hinter.invariant.store import StoredChecks
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tries import alike

TEXT = "A man slept."
REASONS = (Reason.VALID, Reason.POS, Reason.DEP)
FEW, MANY = 3, 600
SAVES = 60

UNICODE = {
    "nothing": "",
    "a lone combining character": "\u0301",
    "a letter and an accent": "cafe\u0301",
    "an accented letter": "caf\u00e9",
    "an emoji of several characters": "\U0001f469\U0001f3fd\u200d\U0001f9bd",
    "half of it": "\U0001f469\U0001f3fd\u200d",
    "a direction mark": "\u202eman",
    "a null character": "man\x00",
    "no character": "\uffff\U0010ffff",
    "line ends": "a\r\nb",
    "other line ends": "a\nb",
    "a long text": "man " * 100_000,
}


def _change(name: object) -> Change:
    return Change("A man.", f"A {name}.", ((2, 5),), ((2, 2 + len(str(name))),))


def _truth(number: int) -> Reason:
    return REASONS[number % len(REASONS)]


def _known(entry: StoredChecks, numbers: Iterable[int]) -> dict[int, Reason]:
    reasons = {number: entry.get(_change(number)) for number in numbers}
    return {number: reason for number, reason in reasons.items() if reason is not None}


def _truths(numbers: Iterable[int]) -> dict[int, Reason]:
    return {number: _truth(number) for number in numbers}


def _save(entry: StoredChecks, numbers: Iterable[int]) -> None:
    for number in numbers:
        entry.add(_change(number), _truth(number))
    entry.save()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "checks"


@pytest.fixture
def store(folder: Path, parser: Parser) -> CheckStore:
    return CheckStore(folder, parser=parser, comparator=Comparator.TOLERANT)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of one entry, in a folder that is there."""
    return tmp_path / "entry.npz"


# What is kept.


def test_what_is_added_is_found_by_another_instance(
    store: CheckStore, folder: Path, parser: Parser
) -> None:
    _save(store.entry(TEXT), range(10))
    again = CheckStore(folder, parser=parser, comparator=Comparator.TOLERANT)
    for known in (store.entry(TEXT), again.entry(TEXT)):
        assert _known(known, range(20)) == _truths(range(10))


def test_what_is_added_is_known_before_it_is_saved(store: CheckStore) -> None:
    entry = store.entry(TEXT)
    assert entry.get(_change(2)) is None
    entry.add(_change(2), Reason.DEP)
    assert entry.get(_change(2)) is Reason.DEP
    assert store.entry(TEXT).get(_change(2)) is None


def test_later_saves_keep_the_earlier_ones(store: CheckStore) -> None:
    for number in range(5):
        _save(store.entry(TEXT), [number])
    assert _known(store.entry(TEXT), range(10)) == _truths(range(5))


def test_a_save_keeps_what_was_saved_since_its_entry_was_read(store: CheckStore) -> None:
    early, late = store.entry(TEXT), store.entry(TEXT)
    _save(late, range(5, 10))
    _save(early, range(5))
    assert _known(store.entry(TEXT), range(20)) == _truths(range(10))


def test_each_text_has_its_own_entry(store: CheckStore) -> None:
    _save(store.entry(TEXT), range(3))
    for other in (TEXT.lower(), f"{TEXT} ", TEXT[:-1]):
        assert _known(store.entry(other), range(3)) == {}


def test_nothing_is_written_when_nothing_is_new(store: CheckStore, folder: Path) -> None:
    store.entry(TEXT).save()
    assert _files(folder) == []
    entry = store.entry(TEXT)
    _save(entry, range(3))
    [written] = _files(folder)
    before = written.stat()
    entry.save()
    again = store.entry(TEXT)
    assert _known(again, range(3)) == _truths(range(3))
    again.save()
    assert _files(folder) == [written]
    after = written.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_another_parser_or_comparator_sees_none_of_it(
    store: CheckStore, folder: Path, parser: Parser
) -> None:
    _save(store.entry(TEXT), range(3))
    other = copy.copy(parser)
    other.fingerprint = f"{parser.fingerprint}x"
    strangers = [
        CheckStore(folder, parser=parser, comparator=Comparator.STRICT),
        CheckStore(folder, parser=parser, comparator=Comparator.HEADS),
        CheckStore(folder, parser=other, comparator=Comparator.TOLERANT),
    ]
    for number, stranger in enumerate(strangers, 10):
        assert _known(stranger.entry(TEXT), range(20)) == {}
        _save(stranger.entry(TEXT), [number])
    for number, stranger in enumerate(strangers, 10):
        assert _known(stranger.entry(TEXT), range(20)) == _truths([number])
    assert _known(store.entry(TEXT), range(20)) == _truths(range(3))


def test_changed_code_sees_none_of_it_and_says_so(
    store: CheckStore,
    folder: Path,
    parser: Parser,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    _save(store.entry(TEXT), range(3))
    CheckStore(folder, parser=parser, comparator=Comparator.TOLERANT)
    assert "parsed again" not in caplog.text
    monkeypatch.setattr("hinter.invariant.store.code_digest", lambda script: "0123456789ab")
    changed = CheckStore(folder, parser=parser, comparator=Comparator.TOLERANT)
    assert _known(changed.entry(TEXT), range(3)) == {}
    assert "sentences are parsed again" in caplog.text


def test_changes_that_read_alike_are_told_apart(store: CheckStore) -> None:
    changes = [
        Change("ab", "c", (), ()),
        Change("a", "bc", (), ()),
        Change("", "abc", (), ()),
        Change("1a", "b", (), ()),
        Change("1", "1a", ((0, 1),), ((0, 2),)),
        Change("1", "1a", ((0, 1),), ()),
        Change("1", "1a", (), ((0, 1),)),
        Change("1", "1a", (), ()),
        Change("1", "1a()", (), ()),
        Change("1", "1a((0, 1),)", (), ()),
        Change("e\u0301", "x", (), ()),
        Change("\u00e9", "x", (), ()),
    ]
    entry = store.entry(TEXT)
    for number, change in enumerate(changes):
        entry.add(change, _truth(number))
    entry.save()
    again = store.entry(TEXT)
    assert [again.get(change) for change in changes] == [_truth(n) for n in range(len(changes))]


# Texts.


@pytest.mark.parametrize("name", UNICODE)
def test_every_text_has_an_entry(name: str, store: CheckStore) -> None:
    text = UNICODE[name]
    _save(store.entry(text), [1])
    assert _known(store.entry(text), range(3)) == _truths([1])
    for other in (text for text in UNICODE.values() if text != UNICODE[name]):
        assert _known(store.entry(other), [1]) == {}


@settings(max_examples=100, deadline=None, derandomize=True)
@given(text=st.text(), mutated=st.text())
@example(text="\u0301", mutated="\U0001f469\u200d")
def test_every_change_of_every_text_is_kept(
    text: str, mutated: str, parser: Parser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("checks")
    store = CheckStore(folder, parser=parser, comparator=Comparator.TOLERANT)
    entry = store.entry(text)
    entry.add(Change(text, mutated, (), ()), Reason.POS)
    entry.save()
    again = store.entry(text)
    assert again.get(Change(text, mutated, (), ())) is Reason.POS
    assert again.get(Change(text, f"{mutated}x", (), ())) is None


# Damage.


def _entry_of(path: Path, numbers: Sequence[int]) -> bytes:
    _save(StoredChecks(path), numbers)
    return path.read_bytes()


def _fault(path: Path, numbers: Sequence[int], *, caplog: pytest.LogCaptureFixture) -> str:
    """Return what is wrong with how a damaged entry is read and re-made, empty where nothing is.

    It is right to read it back unchanged and in silence, or to drop it with a warning.
    """
    caplog.clear()
    try:
        entry = StoredChecks(path)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    known = _known(entry, numbers)
    warnings = len(caplog.records)
    if (known, warnings) not in [(_truths(numbers), 0), ({}, 1)]:
        right = sum(reason == _truth(number) for number, reason in known.items())
        return f"{right} right and {len(known) - right} wrong checks, {warnings} warnings"
    _save(entry, numbers)
    if _known(StoredChecks(path), numbers) != _truths(numbers):
        return "not re-made"
    return ""


def _faults(
    path: Path,
    numbers: Sequence[int],
    *,
    damaged: Iterable[tuple[str, bytes]],
    caplog: pytest.LogCaptureFixture,
) -> dict[str, str]:
    """Return by name the damages that are not withstood."""
    found = {}
    for name, content in damaged:
        path.write_bytes(content)
        if fault := _fault(path, numbers, caplog=caplog):
            found[name] = fault
    return found


def _flipped(content: bytes, *, places: Iterable[int]) -> Iterable[tuple[str, bytes]]:
    for place in places:
        for mask in (0xFF, *(1 << bit for bit in range(8))):
            damaged = bytearray(content)
            damaged[place] ^= mask
            yield f"byte {place} ^ {mask:#x}", bytes(damaged)


def test_every_flipped_byte_of_a_small_entry_is_withstood(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    content = _entry_of(path, range(FEW))
    damaged = _flipped(content, places=range(len(content)))
    assert _faults(path, range(FEW), damaged=damaged, caplog=caplog) == {}


@pytest.mark.long
@alike("every", [5], [1])
def test_flipped_bytes_of_a_large_entry_are_withstood(
    every: int, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    content = _entry_of(path, range(MANY))
    # What tells how to read an entry stands near its ends.
    size = len(content)
    places = sorted({*range(130), *range(0, size, 41), *range(size - 170, size)})[::every]
    damaged = _flipped(content, places=places)
    assert _faults(path, range(0, MANY, 20), damaged=damaged, caplog=caplog) == {}


def test_truncation_at_every_length_is_withstood(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    content = _entry_of(path, range(FEW))
    damaged = [(f"{length} bytes", content[:length]) for length in range(len(content))]
    assert _faults(path, range(FEW), damaged=damaged, caplog=caplog) == {}


def test_a_truncated_entry_is_dropped_with_a_warning_that_names_it(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_bytes(_entry_of(path, range(FEW))[:-1])
    assert _known(StoredChecks(path), range(FEW)) == {}
    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert str(path) in record.getMessage()
    assert not path.exists()


def _archive(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _array(values: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def _digests(number: int) -> Any:
    digests = b"".join(_change(number).digest for number in range(number))
    return np.frombuffer(digests, dtype=np.uint8).reshape(number, 16)


def _foreign() -> dict[str, bytes]:
    digests, reasons = _digests(FEW), np.zeros(FEW, dtype=np.uint8)
    return {
        "empty": b"",
        "text": b"digests,reasons\n",
        "a pickle": pickle.dumps({_change(0).digest: Reason.VALID}),
        "an array": _array(digests),
        "an archive of nothing": _archive(),
        "other arrays": _archive(checks=reasons, digests=digests),
        "one array missing": _archive(digests=digests),
        "an unknown reason": _archive(digests=digests, reasons=reasons + 99),
        "a negative reason": _archive(digests=digests, reasons=reasons.astype(np.int8) - 1),
        "fewer reasons": _archive(digests=digests, reasons=reasons[1:]),
        "more reasons": _archive(digests=digests[1:], reasons=reasons),
        "one reason for all": _archive(digests=digests, reasons=np.uint8(0)),
        "a table of reasons": _archive(digests=digests, reasons=reasons.reshape(-1, 1)),
        "reasons in words": _archive(digests=digests, reasons=np.array(["valid"] * FEW)),
        "shorter digests": _archive(digests=digests[:, :8], reasons=reasons),
        "wider digests": _archive(digests=digests.astype(np.uint16), reasons=reasons),
        "flat digests": _archive(digests=digests.ravel(), reasons=reasons),
    }


@pytest.mark.parametrize("name", _foreign())
def test_a_file_that_is_no_entry_is_dropped(
    name: str, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.write_bytes(_foreign()[name])
    assert _known(StoredChecks(path), range(FEW)) == {}
    assert len(caplog.records) == 1
    _save(StoredChecks(path), range(FEW))
    assert _known(StoredChecks(path), range(FEW)) == _truths(range(FEW))


def test_random_files_are_dropped(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    generator = random.Random(1)
    starts = (b"", b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY\x01\x00", b"\x80\x04")
    damaged = [
        (f"file {number}", start + generator.randbytes(generator.randrange(1000)))
        for number in range(40)
        for start in starts
    ]
    assert _faults(path, range(FEW), damaged=damaged, caplog=caplog) == {}


def test_an_entry_damaged_after_it_was_read_is_replaced(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    content = _entry_of(path, range(5))
    entry = StoredChecks(path)
    path.write_bytes(content[: len(content) // 2])
    _save(entry, range(5, 10))
    assert len(caplog.records) == 1
    assert _known(StoredChecks(path), range(20)) == _truths(range(10))


# Several jobs.


def _worker(path: Path, numbers: Sequence[int], start: Barrier) -> None:
    entry = StoredChecks(path)
    start.wait(timeout=100)
    for number in numbers:
        _save(entry, [number])


def test_a_full_disk_loses_no_check_and_with_space_left_all_are_kept(disk: Path) -> None:
    entry = StoredChecks(disk / "entry.npz")
    _save(entry, range(FEW))
    with suppress(OSError), (disk / "other").open("wb", buffering=0) as other:
        while other.write(b"x" * 4096):
            pass
    with pytest.raises(OSError, match="No space left on device"):
        _save(entry, range(FEW, MANY))
    assert _known(StoredChecks(disk / "entry.npz"), range(MANY)) == _truths(range(FEW))
    (disk / "other").unlink()
    assert [path.name for path in disk.iterdir()] == ["entry.npz"]
    entry.save()
    assert _known(StoredChecks(disk / "entry.npz"), range(MANY)) == _truths(range(MANY))


def test_two_processes_that_share_an_entry_do_it_no_harm(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shares = range(SAVES), range(SAVES, 2 * SAVES)
    spare = 2 * SAVES
    stale = StoredChecks(path)
    context = multiprocessing.get_context("fork")
    start = context.Barrier(3)
    workers = [context.Process(target=_worker, args=(path, share, start)) for share in shares]
    for worker in workers:
        worker.start()
    start.wait(timeout=100)
    while any(worker.is_alive() for worker in workers):
        meanwhile = _known(StoredChecks(path), range(spare))
        assert meanwhile.items() <= _truths(range(spare)).items()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    left = _known(StoredChecks(path), range(spare))
    assert left.items() <= _truths(range(spare)).items()
    # Who saves last leaves all that he has found out.
    assert any(left.keys() >= set(share) for share in shares)
    _save(stale, [spare])
    assert _known(StoredChecks(path), range(spare + 1)) == left | _truths([spare])
    assert caplog.records == []
    assert _files(path.parent) == [path]


def test_what_a_killed_job_left_does_no_harm(
    store: CheckStore, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    _save(store.entry(TEXT), range(3))
    [written] = _files(folder)
    content = written.read_bytes()
    leftovers = [
        written.with_name(f"{name}.partial") for name in ("0123456789abcdef", written.stem)
    ]
    for leftover in leftovers:
        leftover.write_bytes(content[:-5])
    entry = store.entry(TEXT)
    assert _known(entry, range(10)) == _truths(range(3))
    _save(entry, range(3, 6))
    assert _known(store.entry(TEXT), range(10)) == _truths(range(6))
    assert _files(folder) == sorted([written, *leftovers])
    assert caplog.records == []
