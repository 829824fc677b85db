"""Have a judge label a model's answers to a probe."""

from pathlib import Path
from typing import Any

from hinter.config import JudgeSheet, read_sheet
from hinter.corpora import check_judge_prompt
from hinter.job import run_job
from hinter.predictions import open_judge, write_judged


def main(
    *,
    answers: Path,
    corpus: Path,
    suite: Path,
    judge: Path,
    prompt: str,
    labels: list[str],
    store: Path,
    judged: Path,
    **asking: Any,
) -> None:
    """Write the `answers` with the status and outcome that the judge assigns to each.

    `asking` has further arguments of `open_judge`.
    """
    asked = check_judge_prompt(read_sheet(prompt, JudgeSheet), path=prompt, labels=labels)
    opened = open_judge(judge, prompt=asked, store=store, **asking)
    write_judged(opened, prompt=asked, answers=answers, corpus=corpus, suite=suite, path=judged)


if __name__ == "__main__":
    run_job(main, snakemake)
