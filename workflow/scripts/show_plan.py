"""Show on the terminal what a study will cost and how much disk space it takes."""

import shutil
import sys
from pathlib import Path

from hinter.database import limit_queries
from hinter.errors import InputError
from hinter.job import logged_to
from hinter.predictions import (
    PlannedRun,
    check_budget,
    planned_runs,
    show_plan,
    show_total,
    spent_dollars,
    tabulate_disk,
)
from hinter.responses import SuiteShard


def main(
    *,
    plans: list[str],
    corpora: list[str],
    suites: list[str],
    mutants: list[str],
    runs: list[tuple[str, bool, int]],
    resources: dict[str, int],
    models: dict[str, int],
    budget_usd: float | None,
    seed: int,
    store: str,
) -> None:
    """Print the calls of paid models, if there are any, and then the disk space of each part.

    `runs` holds the dataset of each run, whether its model is run on discarded mutants, and of how
    many labels it keeps scores; `resources` and `models` (those that the study makes) hold
    megabytes.
    """
    paid = planned_runs(plans, corpora=corpora, suites=suites)
    if paid:
        _show(*_cost(paid, budget_usd=budget_usd, seed=seed, store=Path(store)))
    inputs = _count_inputs(runs, corpora=corpora, suites=suites)
    table = tabulate_disk(
        resources={
            name: size for name, size in resources.items() if not Path("resources", name).is_dir()
        },
        models=models,
        corpora=[Path(path) for path in corpora],
        mutants=[Path(path) for path in mutants],
        inputs=sum(inputs),
        scores=sum(count * labels for count, (_, _, labels) in zip(inputs, runs, strict=True)),
    )
    free = shutil.disk_usage(".").free / 1e6
    _show(
        table.to_string(index=False),
        f"about {table['megabytes'].sum():,.0f} MB on the disk; {free:,.0f} MB are free",
    )


def _cost(runs: list[PlannedRun], *, budget_usd: float | None, seed: int, store: Path) -> list[str]:
    spent = spent_dollars(store)
    lines = [show_plan(runs), show_total(runs, spent=spent)]
    try:
        check_budget(runs, budget_usd=budget_usd, spent=spent, seed=seed)
    except InputError as error:
        lines.append(str(error))
    return lines


def _count_inputs(
    runs: list[tuple[str, bool, int]], *, corpora: list[str], suites: list[str]
) -> list[int]:
    places = {
        Path(suite).stem: (Path(corpus), Path(suite))
        for corpus, suite in zip(corpora, suites, strict=True)
    }
    counts: dict[tuple[str, bool], int] = {}
    for dataset, discarded, _ in runs:
        if (dataset, discarded) not in counts:
            corpus, suite = places[dataset]
            shard = SuiteShard(corpus=corpus, suite=suite, held_out=True, discarded=discarded)
            counts[dataset, discarded] = len(shard)
    return [counts[dataset, discarded] for dataset, discarded, _ in runs]


def _show(*lines: str) -> None:
    print("\n".join(lines), file=sys.__stdout__)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings)
