"""Many questions at once to something slow, with answers as they come."""

import asyncio
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from itertools import islice
from threading import Thread

Ask = Callable[[str], Coroutine[None, None, str]]


@contextmanager
def background_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop in a thread; on leaving, tasks that still run are cancelled and awaited."""
    ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def run() -> None:
        left = asyncio.Event()
        ready.set_result((asyncio.get_running_loop(), left))
        await left.wait()

    thread = Thread(target=lambda: asyncio.run(run()), name="asking", daemon=True)
    thread.start()
    loop, left = ready.result()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(left.set)
        thread.join()


def answers_in_any_order(
    ask: Ask,
    texts: Sequence[str],
    *,
    loop: asyncio.AbstractEventLoop,
    concurrency: int,
    grace_s: float,
) -> Generator[list[tuple[int, str]], None, None]:
    """Yield (position, answer) of every text in lists, as soon as answers come.

    `concurrency` questions are asked at a time. After a failure no new question is asked; those in
    flight, which may be paid for, have `grace_s` seconds to be answered, and then the failure is
    raised. Closing the generator early cancels questions in flight.
    """
    rest = iter(enumerate(texts))
    flying: dict[Future[str], int] = {}
    try:
        while True:
            for position, text in islice(rest, concurrency - len(flying)):
                flying[asyncio.run_coroutine_threadsafe(ask(text), loop)] = position
            if not flying:
                return
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            failures = [future for future in done if future.exception()]
            if failures:
                done, _ = wait(flying, timeout=grace_s)
            answered = [future for future in done if not future.exception()]
            if answered:
                yield [(flying.pop(future), future.result()) for future in answered]
            if failures:
                min(failures, key=flying.__getitem__).result()
    finally:
        for future in flying:
            future.cancel()
