"""Limit the number of concurrent calls to an endpoint, and pause all calls if it asks for that."""

import logging
import re
from asyncio import sleep
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from time import monotonic, time

from anyio import CapacityLimiter

PATIENCE_S = 1800.0
"""How many seconds an endpoint may postpone all calls, counted from its last answer."""


class OutOfPatience(Exception):
    """The endpoint has postponed all calls for longer than `PATIENCE_S`, or announces that."""


class Pause:
    """The time until which calls are blocked."""

    def __init__(self) -> None:
        self._until = 0.0
        self._last_answer = monotonic()

    async def over(self) -> None:
        """Wait until the pause is over, even if it is prolonged."""
        while (left := self._until - monotonic()) > 0:
            await sleep(left)

    def prolong(self, seconds: float) -> None:
        """Block all calls for `seconds` from now; raises `OutOfPatience`."""
        self._until = max(self._until, monotonic() + seconds)
        waited = self._until - self._last_answer
        if waited > PATIENCE_S:
            raise OutOfPatience(f"calls postponed for {waited / 60:.0f} minutes without a break")

    def note_answer(self) -> None:
        """Record that the endpoint has answered, which restarts the count of `PATIENCE_S`."""
        self._last_answer = monotonic()


UNITS_S = {"ms": 0.001, "mi": 60.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
DURATION = re.compile(
    r"(\d+(?:\.\d+)?)\s*(ms|mi(?=n)|[dhms])(?:(?:ay|our|nute|n|ec|econd)s?)?(?![a-z])",
    re.ASCII | re.IGNORECASE,
)
ANNOUNCED = re.compile(
    rf"(?:again|retry|retryDelay|wait)\W+(?:in|after|for)?\W*((?:{DURATION.pattern}\W*)+)",
    re.ASCII | re.IGNORECASE,
)


def retry_after_s(headers: Mapping[str, str], *, said: str = "") -> float:
    """Return the seconds until a retry, or 0 if none are announced.

    The header Retry-After (RFC 9110) is a number of seconds or a date. Other servers announce
    milliseconds in a header of their own, or a duration in what is `said`.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", value, flags=re.ASCII):
        return float(value)
    announced = ANNOUNCED.search(said)
    spans = [value, f"{headers.get('retry-after-ms', '')}ms", announced[1] if announced else ""]
    for span in spans:
        if found := DURATION.findall(span):
            return sum(float(number) * UNITS_S[unit.casefold()] for number, unit, *_ in found)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (ValueError, OverflowError):
        return 0.0


class OutOfTime(Exception):
    """A call got no answer in time."""


class Slots:
    """Slots for calls, `most` of them at first.

    If a call that began after the last halving runs out of time, their number is halved. It grows
    by one, up to `most`, after as many answers as there are slots (additive increase and
    multiplicative decrease, as in TCP).
    """

    def __init__(self, most: int, *, location: str) -> None:
        self._most, self._location = most, location
        self._limiter = CapacityLimiter(most)
        self._answers = self._halvings = 0

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it for a call; `OutOfTime` inside halves their number."""
        async with self._limiter:
            halvings = self._halvings
            try:
                yield
            except OutOfTime:
                if halvings == self._halvings:
                    self._halve()
                raise
            number = int(self._limiter.total_tokens)
            self._answers += 1
            if number < self._most and self._answers >= number:
                self._limiter.total_tokens, self._answers = number + 1, 0

    def _halve(self) -> None:
        number = int(self._limiter.total_tokens)
        half = max(1, number // 2)
        if half < number:
            logging.info("%s: %d calls at once, %d before", self._location, half, number)
        self._limiter.total_tokens, self._answers = half, 0
        self._halvings += 1
