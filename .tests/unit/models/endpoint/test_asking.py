"""Questions in flight."""

import asyncio

import pytest
from anyio.from_thread import start_blocking_portal
from hinter.models.endpoint.asking import answers_in_any_order

pytestmark = pytest.mark.long


def test_questions_in_flight_are_cancelled_when_nobody_wants_the_answers() -> None:
    cancelled = []

    async def ask(text: str) -> str:
        try:
            await asyncio.sleep(0 if text == "quick" else 600)
        except asyncio.CancelledError:
            cancelled.append(text)
            raise
        return text

    texts = ["slow", "quick", "slower", "never asked"]
    with start_blocking_portal() as portal:
        answers = answers_in_any_order(ask, texts, portal=portal, concurrency=3, grace_s=60)
        assert next(answers) == [(1, "quick")]
        answers.close()
        portal.call(asyncio.sleep, 0)
        assert sorted(cancelled) == ["slow", "slower"]
