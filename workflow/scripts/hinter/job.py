"""The frame of every job: a log file, progress, and errors in one line."""

import io
import logging
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from inspect import get_annotations
from pathlib import Path
from threading import RLock
from typing import Any, TextIO

from tqdm import tqdm

from .errors import InputError, disk_fault, file_fault
from .gpus import claimed_gpus

# Otherwise a process that is killed in the middle of a line keeps the lock of all others forever.
tqdm.set_lock(RLock())

INTERRUPTED = "interrupted; run again to continue"
# The status that shells report for a program ended by Ctrl-C.
INTERRUPTED_STATUS = 130
LINE_EVERY_S = 60
LINE = "{desc}: {n_fmt} of {total_fmt}{unit}, {rate_noinv_fmt}, {remaining} left{postfix}"


def run_job(main: Callable[..., object], job: Any) -> None:
    """Call `main` with the named inputs, the `settings` and the named outputs of a Snakemake job.

    Files are paths if they are annotated as such, None for an input that the study does not have,
    and otherwise text. `job` is the object `snakemake` in its script. It has its log and its GPUs
    to itself.
    """
    given = {**job.input, **job.params.get("settings", {}), **job.output}
    kinds = get_annotations(main)
    for name in given:
        if kinds.get(name) in (Path, Path | None):
            given[name] = Path(given[name]) if given[name] else None
    with logged_to(job.log[0]), claimed_gpus(job.resources.get("gpu", 0)):
        main(**given)


@contextmanager
def logged_to(path: str) -> Iterator[None]:
    """Send logging, stdout and stderr to the file `path`, tracebacks included.

    An `InputError`, a disk that is full or read-only, and a damaged input are logged as one line
    and end the job with status 1; Ctrl-C and SIGTERM do so with status 130.
    """
    with _signals() as caught, _redirected(path):
        try:
            yield
        except BaseException as error:
            # Interrupted code may raise its own errors.
            if caught:
                logging.error(INTERRUPTED)
                sys.exit(INTERRUPTED_STATUS)
            _end(error)
            raise


@contextmanager
def naming(part: str) -> Iterator[None]:
    """Log the beginning of this part of the job, and name the part in the error if it fails."""
    logging.info("%s", part)
    try:
        yield
    except Exception as error:
        error.add_note(f"({part})")
        raise


def _end(error: BaseException) -> None:
    """Exit with one line about the error if there is one for it, or else log the error."""
    part = "".join(f" {note}" for note in getattr(error, "__notes__", ()))
    if isinstance(error, InputError):
        logging.error("%s%s", error, part)
        sys.exit(1)
    if isinstance(error, Exception):
        job = getattr(sys.modules["__main__"], "snakemake", None)
        fault = disk_fault(error) or file_fault(error, inputs=getattr(job, "input", ()))
        if fault:
            line = f"ERROR {fault}{part}"
            try:
                print(line)
            except OSError:
                # The log itself cannot be written: the line goes to the terminal.
                sys.exit(line)
            sys.exit(1)
    if not isinstance(error, SystemExit):
        logging.exception("the job failed")


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Raise `KeyboardInterrupt` at Ctrl-C and SIGTERM, and list the received signals."""
    caught: list[int] = []

    def interrupt(number: int, _: object) -> None:
        caught.append(number)
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _redirected(path: str) -> Iterator[None]:
    log = _open_log(path)
    stdout, stderr = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = log
    logging.basicConfig(
        stream=log, level=logging.INFO, force=True, format="%(levelname)s %(message)s"
    )
    logging.captureWarnings(True)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = stdout, stderr
        # On a full disk, closing fails as well: some lines are still unwritten.
        with suppress(OSError):
            log.close()


def _open_log(path: str) -> TextIO:
    try:
        return Path(path).open("w", buffering=1, encoding="utf-8")
    except OSError as error:
        sys.exit(str(disk_fault(error) or error))


def progress_bar(
    *, total: int | None, label: str, unit: str, note: Callable[[], str] | None = None
) -> "tqdm[Any]":
    """Return a progress bar with rate, remaining time and the text of `note`, for the terminal.

    Without a terminal, it prints a line per minute to the log and to standard error. `total` counts
    things called `unit`; None means that it is unknown.
    """
    terminal = sys.__stderr__
    watched = terminal is not None and terminal.isatty()
    often = dict.fromkeys(("delay", "mininterval", "maxinterval"), LINE_EVERY_S)
    shown = {"file": terminal, "dynamic_ncols": True} if watched else {"bar_format": LINE, **often}
    bar = (_Bar if watched else _Lines)(
        total=total, desc=label, unit=unit, unit_scale=unit == "B", **shown
    )
    bar.note = note
    return bar


class _Bar(tqdm):  # type: ignore[type-arg]
    note: Callable[[], str] | None = None

    def display(self, *arguments: Any, **options: Any) -> Any:
        """Show the bar with the current note."""
        self.postfix = self.note() if self.note else None
        return super().display(*arguments, **options)


class _Lines(_Bar):
    def __init__(self, **parts: Any) -> None:
        # Receives what tqdm writes in addition to the lines.
        super().__init__(**parts, file=io.StringIO())

    @staticmethod
    def status_printer(file: object) -> Callable[[str], None]:
        """Return the function that shows a line of progress."""

        def show(line: str) -> None:
            if line:
                logging.info("%s", line)
                log = getattr(sys.stderr, "name", "")
                print(f"{log}: {line}", file=sys.__stderr__, flush=True)

        return show


def warn(message: str, *values: object) -> None:
    """Warn in the job's log and on the terminal."""
    logging.warning(message, *values)
    print("WARNING", message % values, file=sys.__stderr__)
