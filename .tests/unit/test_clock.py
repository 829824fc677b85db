"""Somebody may set the clock of the machine: no deadline, lease or result hangs on it."""

import re
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "workflow" / "scripts"
OF_THE_WALL = re.compile(
    r"\btime\.time(_ns)?\(|\bfrom time import .*\btime\b|\b(datetime|date)\.(now|today|utcnow)\("
    r"|\blocaltime\(|\bgmtime\("
)


# A server may name a date until which to wait; where that is far off, the run ends and says so.
NEEDED = {"hinter/models/endpoint/pausing.py"}


def test_only_dates_of_servers_are_compared_with_the_clock_of_the_wall() -> None:
    modules = {path.relative_to(SCRIPTS).as_posix(): path for path in SCRIPTS.rglob("*.py")}
    assert len(modules) > 200
    asking = {name for name, path in modules.items() if OF_THE_WALL.search(path.read_text("utf-8"))}
    assert asking == NEEDED
