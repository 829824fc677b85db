"""Plan the calls of a judge behind an endpoint, without making any."""

from pathlib import Path
from typing import Any

from hinter.config import JudgeSheet, PromptSheet, read_sheet
from hinter.corpora import check_judge_prompt
from hinter.job import run_job
from hinter.predictions import open_judge, planned_prices, write_judge_plan


def main(
    *,
    corpus: str,
    suite: str,
    judge: str,
    prompt: str,
    answered: str,
    sheet: dict[str, Any],
    labels: list[str],
    models: int,
    prices: dict[str, dict[str, float]],
    seed: int,
    store: str,
    plan: str,
) -> None:
    """Write to `plan` the maximum cost of judging the answers of so many `models`.

    `answered` is the prompt file with which they are asked.
    """
    asked = check_judge_prompt(read_sheet(prompt, JudgeSheet), path=prompt, labels=labels)
    opened = open_judge(Path(judge), prompt=asked, sheet=sheet, seed=seed, store=Path(store))
    write_judge_plan(
        opened.model,
        prompt=asked,
        corpus=Path(corpus),
        suite=Path(suite),
        models=models,
        answer_tokens=read_sheet(answered, PromptSheet).max_answer_tokens,
        prices=planned_prices(prices, model=sheet["model"], store=opened.store),
        plan=Path(plan),
    )


if __name__ == "__main__":
    run_job(main, snakemake)
