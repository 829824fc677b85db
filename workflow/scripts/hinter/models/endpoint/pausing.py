"""A pause that all calls to an endpoint keep, once one of them is told to wait."""

import re
from asyncio import sleep
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import monotonic, time

PATIENCE_S = 1800.0
"""How long an endpoint may put off all calls together, from its last answer on."""


class OutOfPatience(Exception):
    """The endpoint has put off all calls for longer than `PATIENCE_S`, or says that it will."""


class Pause:
    """When calls may go on."""

    def __init__(self) -> None:
        self._until = 0.0
        self._last_answer = monotonic()

    async def over(self) -> None:
        """Return when the pause is over, however often it was prolonged."""
        while (left := self._until - monotonic()) > 0:
            await sleep(left)

    def prolong(self, seconds: float) -> None:
        """Let nobody call for `seconds` from now; raises `OutOfPatience`."""
        self._until = max(self._until, monotonic() + seconds)
        waited = self._until - self._last_answer
        if waited > PATIENCE_S:
            raise OutOfPatience(f"calls put off for {waited / 60:.0f} minutes on end")

    def note_answer(self) -> None:
        """Note that the endpoint answers, so that patience begins anew."""
        self._last_answer = monotonic()


def retry_after_s(headers: Mapping[str, str]) -> float:
    """Return how many seconds the header Retry-After asks for (RFC 9110), 0 where it says nothing.

    Its value is a number of seconds or a date.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", value, flags=re.ASCII):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (ValueError, OverflowError):
        return 0.0
