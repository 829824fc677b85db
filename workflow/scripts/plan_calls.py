"""Plan the calls of a model behind an endpoint, without making any."""

from pathlib import Path
from typing import Any

from hinter.database import limit_queries
from hinter.job import logged_to
from hinter.models import open_endpoint, read_task
from hinter.predictions import find_prices, write_plan
from hinter.responses import ResponseStore, SuiteShard


def main(
    *,
    corpus: str,
    suite: str,
    pairs: str,
    model: str,
    prompt: str,
    sheet: dict[str, Any],
    task: dict[str, Any],
    prices: dict[str, dict[str, float]],
    seed: int,
    repeats: int,
    store: str,
    plan: str,
) -> None:
    """Write calls, tokens and dollars of each input that the store cannot answer to `plan`."""
    endpoint = open_endpoint(
        Path(model),
        sheet=sheet,
        task=read_task(corpus=Path(corpus), prompt=prompt, **task),
        seed=seed,
    )
    write_plan(
        endpoint,
        inputs=SuiteShard(
            corpus=Path(corpus), suite=Path(suite), held_out=True, discarded=sheet["discarded"]
        ),
        pairs=Path(pairs),
        store=ResponseStore(Path(store), fingerprint=endpoint.fingerprint),
        repeats=repeats,
        prices=find_prices(prices, model=sheet["model"]),
        plan=Path(plan),
    )


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings, **snakemake.output)
