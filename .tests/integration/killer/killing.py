"""What kills a job at a moment: before a step of its work, or as it ends."""

import atexit
import os
import signal
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

connect = sqlite3.connect


class Killer:
    """Kills at a moment, in whichever job comes to it first.

    `moment` is a file with the number of the step before which to kill. A step is a file of the
    study that Python opens for writing or renames, or a commit of a store. A script of fewer steps
    is killed as it ends.
    """

    def __init__(self, moment: Path) -> None:
        self._moment, self._left = moment, int(moment.read_text())
        self._study = Path.cwd()

    def watch(self) -> None:
        """Begin to count steps."""
        atexit.register(self.kill)
        sys.addaudithook(self._on_event)
        sqlite3.connect = self._connect

    def kill(self) -> None:
        """Kill the group of processes that the job is in, unless another job was first."""
        with suppress(FileNotFoundError):
            self._moment.unlink()
            os.killpg(0, signal.SIGKILL)

    def _step(self) -> None:
        self._left -= 1
        if self._left == 0:
            self.kill()

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and set(arguments[1] or "") & set("wax"):
            self._on_file(arguments[0])
        elif event == "os.rename":
            self._on_file(arguments[1])

    def _on_file(self, name: Any) -> None:
        if isinstance(name, str | os.PathLike):
            path = self._study / os.fsdecode(name)
            # Nor is it a step that Python keeps what it compiled.
            if path.is_relative_to(self._study) and path.suffix != ".pyc":
                self._step()

    def _on_statement(self, statement: str) -> None:
        if statement == "COMMIT":
            self._step()

    def _connect(self, *arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.set_trace_callback(self._on_statement)
        return connection
