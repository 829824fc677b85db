"""Ask a model behind an endpoint about each original several times."""

from pathlib import Path
from typing import Any

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.models import open_endpoint, read_task
from hinter.predictions import compare_account, read_spending, spending_note, write_repeats
from hinter.responses import ResponseStore, SuiteShard


def main(
    *,
    corpus: str,
    suite: str,
    model: str,
    prompt: str,
    approval: str,
    sheet: dict[str, Any],
    task: dict[str, Any],
    seed: int,
    repeats: int,
    store: str,
    answers: str,
) -> None:
    """Write all answers about each original to `answers`."""
    spending = read_spending(Path(approval), model=sheet["model"], store=Path(store))
    endpoint = open_endpoint(
        Path(model),
        sheet=sheet,
        task=read_task(corpus=Path(corpus), prompt=prompt, **task),
        seed=seed,
        spending=spending,
    )
    responses = ResponseStore(Path(store), fingerprint=endpoint.fingerprint)
    if spending:
        compare_account(spending.ledger, responses)
    write_repeats(
        endpoint,
        inputs=SuiteShard(
            corpus=Path(corpus), suite=Path(suite), held_out=True, discarded=sheet["discarded"]
        ),
        repeats=repeats,
        store=responses,
        path=Path(answers),
        note=spending_note(Path(store)) if spending else None,
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
