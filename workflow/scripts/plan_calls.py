"""Plan the calls of a model behind an endpoint, without making any."""

from pathlib import Path
from typing import Any

from hinter.job import run_job
from hinter.limits import HeldOut
from hinter.predictions import open_for_dataset, planned_prices, write_plan


def main(
    *,
    corpus: Path,
    suite: Path,
    model: str,
    prompt: str,
    asking: dict[str, Any],
    held_out: dict[str, Any],
    prices: dict[str, dict[str, float]],
    repeats: int,
    case_answers: int,
    plan: Path,
) -> None:
    """Write the calls, tokens and dollars of inputs without stored answers to `plan`."""
    opened = open_for_dataset(model, corpus=corpus, asking=asking, prompt=prompt)
    write_plan(
        opened.asked,
        corpus=corpus,
        suite=suite,
        discarded=asking["sheet"]["discarded"],
        held_out=HeldOut(**held_out),
        store=opened.store,
        repeats=repeats,
        case_answers=case_answers,
        prices=planned_prices(prices, model=asking["sheet"]["model"], store=opened.store),
        seed=asking["seed"],
        plan=plan,
    )


if __name__ == "__main__":
    run_job(main, snakemake)
