"""A pause for all calls to an endpoint, once one of them is told to wait."""

import re
from asyncio import sleep
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import monotonic, time

PATIENCE_S = 1800.0
"""How long an endpoint may postpone all calls, counted from its last answer."""


class OutOfPatience(Exception):
    """The endpoint has postponed all calls for longer than `PATIENCE_S`, or says that it will."""


class Pause:
    """The time until which calls are blocked."""

    def __init__(self) -> None:
        self._until = 0.0
        self._last_answer = monotonic()

    async def over(self) -> None:
        """Wait until the pause is over, however often it is prolonged."""
        while (left := self._until - monotonic()) > 0:
            await sleep(left)

    def prolong(self, seconds: float) -> None:
        """Block all calls for `seconds` from now; raises `OutOfPatience`."""
        self._until = max(self._until, monotonic() + seconds)
        waited = self._until - self._last_answer
        if waited > PATIENCE_S:
            raise OutOfPatience(f"calls put off for {waited / 60:.0f} minutes on end")

    def note_answer(self) -> None:
        """Note that the endpoint has answered, from which patience is counted again."""
        self._last_answer = monotonic()


def retry_after_s(headers: Mapping[str, str]) -> float:
    """Return the seconds that the header Retry-After asks for (RFC 9110), 0 if there is none.

    Its value is a number of seconds or a date.
    """
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d+(\.\d+)?", value, flags=re.ASCII):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (ValueError, OverflowError):
        return 0.0
