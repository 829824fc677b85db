"""Runs Snakemake and the scripts of jobs in forks of one process with the libraries they use.

Its argument is the socket on which it is asked (see `ask`). The study's own code is imported by
each job.
"""

import atexit
import importlib
import json
import os
import runpy
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

LIBRARIES = (
    *("duckdb", "matplotlib.pyplot", "pandas", "pyarrow.dataset", "scipy.stats", "spacy"),
    *("openai", "pydantic", "snakemake.cli", "snakemake.script", "snakemake.workflow"),
    *("torch", "torch._dynamo", "torch.distributed.tensor"),
    *("transformers", "transformers.models.auto.modeling_auto", "transformers.trainer"),
)


def serve(place: str) -> NoReturn:
    """Answer whoever asks on the socket until this process is ended."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()
        signal.signal(signal.SIGCHLD, _reap)
        while True:
            call, _ = server.accept()
            if not os.fork():
                _run(call)
            call.close()


def _reap(*_: Any) -> None:
    """Wait for those that have ended, so that what they took is counted."""
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        return


def _run(call: socket.socket) -> NoReturn:
    """Run Python as if it had been started by who asked, and tell its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(call, 1, 3)
    with call.makefile(encoding="utf-8") as lines:
        asked = json.loads(lines.readline())
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    status = 0
    try:
        _start(asked["arguments"])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else bool(end.code)
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    call.sendall(b"%d" % status)
    os._exit(status)


def _start(arguments: list[str]) -> None:
    if arguments[0] == "-m":
        # What starts its jobs.
        sys.executable = os.environ["ASK_FORKS"]
        sys.argv = arguments[1:]
        sys.path.insert(0, str(Path.cwd()))
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    for name in LIBRARIES:
        importlib.import_module(name)
    serve(sys.argv[1])
