"""Plan the calls of a model behind an endpoint, without making any."""

from pathlib import Path
from typing import Any

from hinter.job import logged_to
from hinter.limits import HeldOut
from hinter.models import read_task
from hinter.models.endpoint.client import open_endpoint
from hinter.predictions import compare_account, find_prices, open_ledger, write_plan
from hinter.responses import ResponseStore


def main(
    *,
    corpus: str,
    suite: str,
    model: str,
    prompt: str,
    sheet: dict[str, Any],
    task: dict[str, Any],
    held_out: dict[str, Any],
    prices: dict[str, dict[str, float]],
    seed: int,
    repeats: int,
    case_answers: int,
    store: str,
    plan: str,
) -> None:
    """Write the calls, tokens and dollars of inputs without stored answers to `plan`."""
    endpoint = open_endpoint(
        Path(model),
        sheet=sheet,
        task=read_task(corpus=Path(corpus), prompt=prompt, **task),
        seed=seed,
        notes=Path(store),
    )
    responses = ResponseStore(Path(store), fingerprint=endpoint.fingerprint)
    found = find_prices(prices, model=sheet["model"])
    if found:
        compare_account(open_ledger(Path(store)), responses)
    write_plan(
        endpoint,
        corpus=Path(corpus),
        suite=Path(suite),
        discarded=sheet["discarded"],
        held_out=HeldOut(**held_out),
        store=responses,
        repeats=repeats,
        case_answers=case_answers,
        prices=found,
        seed=seed,
        plan=Path(plan),
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
