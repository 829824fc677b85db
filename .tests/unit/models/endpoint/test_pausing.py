"""Pauses: as long as the endpoint says, and no longer than patience lasts."""

from email.utils import formatdate

import pytest
from hinter.models.endpoint import pausing
from hinter.models.endpoint.pausing import Pause, retry_after_s

pytestmark = pytest.mark.long


def test_waiting_times_are_read_in_seconds_and_as_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pausing, "time", lambda: 1e9)
    assert retry_after_s({"retry-after": " 7 "}) == 7
    assert retry_after_s({"retry-after": "0.5"}) == 0.5
    assert retry_after_s({"retry-after": formatdate(1e9 + 90, usegmt=True)}) == 90
    past = formatdate(1e9 - 90, usegmt=True)
    for value in ("", "soon", "-3", "nan", "inf", past, "Mon, 99 Foo 0000 99:99:99 GMT"):
        assert retry_after_s({"retry-after": value}) == 0
    assert retry_after_s({}) == 0


@pytest.mark.parametrize(
    ("headers", "said", "seconds"),
    [
        ({"retry-after": "30s"}, "", 30),
        ({"retry-after-ms": "1500"}, "", 1.5),
        ({}, "Please try again in 1m26.4s.", 86.4),
        ({}, '"retryDelay": "34s"', 34),
        ({}, "retry after 2 minutes", 120),
        ({}, "Please try again in 250ms", 0.25),
        ({"retry-after": "7"}, "try again in 1h", 7),
        ({}, "Please wait before trying again with 5 shots", 0),
        ({}, "try again later, in 2026", 0),
    ],
)
def test_waiting_times_are_read_in_words(
    headers: dict[str, str], said: str, seconds: float
) -> None:
    assert retry_after_s(headers, said=said) == pytest.approx(seconds)


def test_patience_ends_and_begins_anew_with_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(pausing, "monotonic", lambda: now[0])
    pause = Pause()
    pause.prolong(1800)
    now[0] = 1800
    pause.note_answer()
    pause.prolong(1700)
    now[0] = 3500
    with pytest.raises(pausing.OutOfPatience, match="31 minutes without a break"):
        pause.prolong(150)
