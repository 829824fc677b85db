"""Many questions at once to something slow, with answers as they come."""

from collections.abc import Callable, Coroutine, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice

from anyio.from_thread import BlockingPortal

Ask = Callable[[str], Coroutine[None, None, str]]


def answers_in_any_order(
    ask: Ask, texts: Sequence[str], *, portal: BlockingPortal, concurrency: int, grace_s: float
) -> Generator[list[tuple[int, str]], None, None]:
    """Yield lists of the (position, answer) of texts, as soon as answers arrive.

    They are asked in the event loop of the `portal`, `concurrency` at a time. After a failure no
    new question is asked; those in flight, which may be paid for, have `grace_s` seconds to be
    answered, and then the failure is raised. Closing the generator early cancels questions in
    flight.
    """
    rest = iter(enumerate(texts))
    flying: dict[Future[str], int] = {}
    try:
        while True:
            for position, text in islice(rest, concurrency - len(flying)):
                flying[portal.start_task_soon(ask, text)] = position
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
