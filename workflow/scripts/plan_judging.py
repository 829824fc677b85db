"""Plan the calls of a judge behind an endpoint, without making any."""

from pathlib import Path
from typing import Any

from hinter.config import JudgeSheet, PromptSheet, read_sheet
from hinter.corpora import check_judge_prompt
from hinter.job import logged_to
from hinter.models import Task
from hinter.models.endpoint.client import open_endpoint
from hinter.predictions import compare_account, find_prices, open_ledger, write_judge_plan
from hinter.responses import ResponseStore


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
    """Write to `plan` what it may take to judge the answers of so many `models`.

    `answered` is the prompt file by which they are asked.
    """
    asked = check_judge_prompt(
        read_sheet(prompt, JudgeSheet).model_dump(), path=prompt, labels=labels
    )
    task = Task(asked.prompt, (), multi_label=False)
    endpoint = open_endpoint(Path(judge), sheet=sheet, task=task, seed=seed, notes=Path(store))
    found = find_prices(prices, model=sheet["model"])
    if found:
        responses = ResponseStore(Path(store), fingerprint=endpoint.fingerprint)
        compare_account(open_ledger(Path(store)), responses)
    write_judge_plan(
        endpoint,
        prompt=asked,
        corpus=Path(corpus),
        suite=Path(suite),
        models=models,
        answer_tokens=read_sheet(answered, PromptSheet).max_answer_tokens,
        prices=found,
        plan=Path(plan),
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
