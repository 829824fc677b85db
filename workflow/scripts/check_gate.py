"""Fail unless the candidate passes the gate."""

import logging
import sys

from hinter.gate import Outcome, describe_outcome, overall, read_decided
from hinter.job import run_job


def main(*, table: str, summary: str) -> None:
    """Exit with status 1 and write a line to the log unless all rows of the CSV `table` pass."""
    rows = read_decided(table)
    message = describe_outcome(rows)
    if overall(rows["outcome"]) is not Outcome.PASS:
        logging.error("%s (%s)", message, summary)
        sys.exit(1)
    print(f"Gate: {message}", file=sys.__stderr__)


if __name__ == "__main__":
    run_job(main, snakemake)
