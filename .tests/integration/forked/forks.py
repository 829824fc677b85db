"""Runs Snakemake and the scripts of jobs in forks of one process with the libraries they use.

Its argument is the socket on which it is asked (see `ask`). The library of a study is imported once
for all of its jobs, and anew whenever any of its files changes.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
import traceback
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

LIBRARIES = (
    *("duckdb", "matplotlib.pyplot", "pandas", "pyarrow.dataset", "scipy.stats", "spacy"),
    *("docutils.core", "nbformat", "openai", "pydantic", "pygments.formatters.html"),
    *("smart_open", "snakemake.cli", "snakemake.profiles", "snakemake.report.html_reporter"),
    *("snakemake.script", "snakemake.workflow"),
    *("torch", "torch._dynamo", "torch.distributed.tensor"),
    *("transformers", "transformers.models.auto.modeling_auto", "transformers.trainer"),
)
SCRIPTS = "workflow/scripts"
MOST_BYTES = 1 << 18
MOST_SECONDS = 60


def serve(place: str) -> NoReturn:
    """Answer whoever asks on the socket until this process is ended."""
    # By folders: the state of a study's library, and once this was asked for twice, what has it.
    studies: dict[str, tuple[str, socket.socket | None]] = {}
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()
        signal.signal(signal.SIGCHLD, _reap)
        signal.signal(signal.SIGTERM, partial(_end, studies))
        while True:
            call, _ = server.accept()
            _, streams, _, _ = socket.recv_fds(call, 1, 3)
            with call.makefile("rb") as lines:
                asked = lines.readline()
            descriptors = [call.detach(), *streams]
            _pass_on(asked, descriptors, studies=studies)
            for number in descriptors:
                os.close(number)


def _pass_on(
    asked: bytes, descriptors: list[int], *, studies: dict[str, tuple[str, socket.socket | None]]
) -> None:
    """Have a fork do what is asked: one of this process at first, then one with the library."""
    folder = json.loads(asked)["folder"]
    code = _code_in(Path(folder))
    known, study = studies.get(folder, ("", None))
    if known != code:
        if study is not None:
            study.close()
        studies[folder] = code, None
        if not os.fork():
            _run(json.loads(asked), *descriptors)
        return
    if study is None:
        study = _import_library(folder, studies=studies, unneeded=descriptors)
        studies[folder] = code, study
    socket.send_fds(study, [asked], descriptors)


def _code_in(folder: Path) -> str:
    """Return what changes with any file of a study's library."""
    files = sorted((folder / SCRIPTS / "hinter").rglob("*.*"))
    return repr([(str(file), file.stat().st_mtime_ns) for file in files if file.suffix != ".pyc"])


def _import_library(
    folder: str, *, studies: dict[str, tuple[str, socket.socket | None]], unneeded: list[int]
) -> socket.socket:
    """Return the socket of a fork that imports the library of a study, for all of its jobs."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        its.close()
        return ours
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Who waits for the end of a stream would wait for the end of this process.
    for number in unneeded:
        os.close(number)
    for other in (ours, *(other for _, other in studies.values())):
        if other is not None:
            other.close()
    os.chdir(folder)
    scripts = Path(folder, SCRIPTS)
    sys.path.append(str(scripts))
    for module in pkgutil.walk_packages([str(scripts / "hinter")], "hinter."):
        # What cannot be imported is for the job to say that needs it.
        with suppress(Exception):
            importlib.import_module(module.name)
    # Every start of Snakemake asks for digests of all code.
    with suppress(Exception):
        importlib.import_module("hinter.provenance").used_modules(
            *(str(file.relative_to(scripts)) for file in scripts.rglob("*.py"))
        )
    gc.freeze()
    while True:
        asked, descriptors, _, _ = socket.recv_fds(its, MOST_BYTES, 4)
        if not asked:
            _wait_for_all()
        if not os.fork():
            its.close()
            _run(json.loads(asked), *descriptors)
        for number in descriptors:
            os.close(number)


def _end(studies: dict[str, tuple[str, socket.socket | None]], *_: Any) -> NoReturn:
    for _, study in studies.values():
        if study is not None:
            study.close()
    _wait_for_all()


def _wait_for_all() -> NoReturn:
    """End once all forks have, so that what they took is counted."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.alarm(MOST_SECONDS)
    with suppress(ChildProcessError):
        while True:
            os.wait()
    os._exit(0)


def _reap(*_: Any) -> None:
    """Wait for those that have ended, so that what they took is counted."""
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        return


def _run(asked: dict[str, Any], call: int, *streams: int) -> NoReturn:
    """Run Python as if it had been started by who asked, and tell its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
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
    socket.socket(fileno=call).sendall(b"%d" % status)
    os._exit(status)


def _start(arguments: list[str]) -> None:
    # What starts the jobs of Snakemake, and Snakemake itself for its report.
    sys.executable = os.environ["ASK_FORKS"]
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, str(Path.cwd()))
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    for name in LIBRARIES:
        importlib.import_module(name)
    # Forks would copy all memory in which they look for garbage.
    gc.freeze()
    serve(sys.argv[1])
