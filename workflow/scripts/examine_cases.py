"""Ask a model again about hidden and other biased mutants, and narrow down their edits."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hinter.cases import choose_cases, write_cases
from hinter.job import run_job
from hinter.predictions import open_for_dataset


def main(
    *,
    verdicts: Path,
    corpus: Path,
    asking: dict[str, Any],
    answers: int,
    repeats: int | None,
    outcome_statuses: Sequence[str],
    cases: Path,
    **model: Any,
) -> None:
    """Write to `cases` whether biased mutants recur, and which of their edits suffice.

    The model gives at most `answers` answers for it, and each mutant is asked about `repeats` times
    (None for a model that always gives the same answer). `asking` says how it is asked.

    The `model` is an argument of `open_for_dataset`.
    """
    chosen = choose_cases(
        verdicts, corpus=corpus, answers=answers, repeats=repeats or 1, seed=asking["seed"]
    )
    opened = open_for_dataset(corpus=corpus, asking=asking, **model)
    write_cases(
        opened, cases=chosen, repeats=repeats, outcome_statuses=outcome_statuses, path=cases
    )


if __name__ == "__main__":
    run_job(main, snakemake)
