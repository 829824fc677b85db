"""Decide whether a candidate model may replace its baseline."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hinter.gate import decide, measure_differences, write_junit, write_summary
from hinter.job import run_job
from hinter.tables import read_parts


def main(
    *,
    candidate: Sequence[str],
    baseline: Sequence[str],
    names: Sequence[str],
    limited: Sequence[str],
    threshold: float,
    confidence: float,
    table: str,
    junit: str,
    summary: str,
    controls: Sequence[str] = (),
    **deciding: Any,
) -> None:
    """Write the gate's decisions to the CSV `table`, the JUnit XML and the Markdown `summary`.

    `candidate` and `baseline` are verdicts by dataset, and `names` are the names of the two models.
    The rest are arguments of `decide`.
    """
    sums = measure_differences(
        read_parts(candidate), read_parts(baseline), read_parts(controls), limited=limited
    )
    rows = decide(sums, threshold=threshold, confidence=confidence, **deciding)
    rows.insert(0, "candidate", names[0])
    rows.insert(1, "baseline", names[1])
    rows.to_csv(table, index=False, lineterminator="\n")
    write_junit(rows, Path(junit))
    write_summary(rows, Path(summary), threshold=threshold, confidence=confidence)


if __name__ == "__main__":
    run_job(main, snakemake)
