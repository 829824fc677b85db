"""Have a judge label a model's answers to a probe."""

from pathlib import Path
from typing import Any

from hinter.config import JudgeSheet, read_sheet
from hinter.corpora import check_judge_prompt
from hinter.job import run_job
from hinter.predictions import open_judge, write_judged


def main(
    *,
    answers: str,
    corpus: str,
    suite: str,
    judge: str,
    prompt: str,
    labels: list[str],
    store: str,
    judged: str,
    **asking: Any,
) -> None:
    """Write the `answers` with the status and outcome that the judge assigns to each.

    `asking` has further arguments of `open_judge`.
    """
    asked = check_judge_prompt(read_sheet(prompt, JudgeSheet), path=prompt, labels=labels)
    opened = open_judge(Path(judge), prompt=asked, store=Path(store), **asking)
    write_judged(
        opened.model,
        prompt=asked,
        answers=Path(answers),
        corpus=Path(corpus),
        suite=Path(suite),
        store=opened.store,
        path=Path(judged),
        note=opened.note,
    )


if __name__ == "__main__":
    run_job(main, snakemake)
