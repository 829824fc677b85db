"""The number of calls in flight at once: fewer if answers do not come in time."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class OutOfTime(Exception):
    """A call got no answer in time."""


class Slots:
    """Slots for calls, `most` of them at first.

    Their number is halved when a call that began since the last halving is out of time, and grows
    by one, up to `most`, after as many answers as there are slots (additive increase and
    multiplicative decrease, as in TCP).
    """

    def __init__(self, most: int, *, place: str) -> None:
        self._most = self._number = most
        self._place = place
        self._free = asyncio.Semaphore(most)
        self._too_many = 0
        self._answers = 0
        self._halvings = 0

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it for a call; `OutOfTime` inside halves their number."""
        await self._free.acquire()
        halvings = self._halvings
        try:
            yield
            self._grow()
        except OutOfTime:
            if halvings == self._halvings:
                self._halve()
            raise
        finally:
            self._give_back()

    def _grow(self) -> None:
        self._answers += 1
        if self._number < self._most and self._answers >= self._number:
            self._answers = 0
            self._number += 1
            self._give_back()

    def _halve(self) -> None:
        half = max(1, self._number // 2)
        if half < self._number:
            logging.info("%s: %d calls at once, %d before", self._place, half, self._number)
        self._too_many += self._number - half
        self._number, self._answers = half, 0
        self._halvings += 1

    def _give_back(self) -> None:
        if self._too_many:
            self._too_many -= 1
        else:
            self._free.release()
