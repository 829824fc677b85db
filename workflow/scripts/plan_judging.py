"""Plan the calls of a judge behind an endpoint, without making any."""

from pathlib import Path
from typing import Any

from hinter.config import JudgeSheet, PromptSheet, read_sheet
from hinter.corpora import check_judge_prompt
from hinter.job import run_job
from hinter.predictions import open_judge, planned_prices, write_judge_plan


def main(
    *,
    corpus: Path,
    suite: Path,
    judge: Path,
    prompt: str,
    answered: str,
    sheet: dict[str, Any],
    labels: list[str],
    models: int,
    prices: dict[str, dict[str, float]],
    seed: int,
    store: Path,
    plan: Path,
) -> None:
    """Write to `plan` the maximum cost of judging the answers of so many `models`.

    `answered` is the prompt file with which they are asked.
    """
    asked = check_judge_prompt(read_sheet(prompt, JudgeSheet), path=prompt, labels=labels)
    opened = open_judge(judge, prompt=asked, sheet=sheet, seed=seed, store=store)
    write_judge_plan(
        opened.asked,
        prompt=asked,
        corpus=corpus,
        suite=suite,
        models=models,
        answer_tokens=read_sheet(answered, PromptSheet).max_answer_tokens,
        prices=planned_prices(prices, model=sheet["model"], store=opened.store),
        plan=plan,
    )


if __name__ == "__main__":
    run_job(main, snakemake)
