"""What every job needs around its work: a log file, and progress where somebody watches."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tqdm import tqdm

from .errors import InputError


@contextmanager
def logged_to(path: str) -> Iterator[None]:
    """Send logging, stdout and stderr to the file `path`, tracebacks included.

    An `InputError` is logged as its one line and ends the job with status 1.
    """
    with Path(path).open("w", buffering=1, encoding="utf-8") as log:
        stdout, stderr = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = log
        logging.basicConfig(
            stream=log, level=logging.INFO, force=True, format="%(levelname)s %(message)s"
        )
        logging.captureWarnings(True)
        try:
            yield
        except InputError as error:
            logging.error("%s", error)
            sys.exit(1)
        except BaseException:
            logging.exception("the job failed")
            raise
        finally:
            sys.stdout, sys.stderr = stdout, stderr


def progress_bar(*, total: int | None, label: str, unit: str) -> "tqdm[Any]":
    """Return a bar with rate and remaining time on the terminal, silent where there is none."""
    return tqdm(
        total=total,
        desc=label,
        unit=unit,
        unit_scale=unit == "B",
        file=sys.__stderr__,
        disable=None,
        dynamic_ncols=True,
    )


def warn(message: str, *values: object) -> None:
    """Warn in the job's log and on the terminal, of what costs money or was paid for."""
    logging.warning(message, *values)
    print("WARNING", message % values, file=sys.__stderr__)
