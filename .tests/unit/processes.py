"""Groups of processes that must end, and waiting for that."""

import os
import time
from collections.abc import Callable


def is_alive(group: int) -> bool:
    """Tell whether a group has a process."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: Callable[[], bool], *, seconds: float = 60) -> None:
    """Wait so long for a condition at most."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
