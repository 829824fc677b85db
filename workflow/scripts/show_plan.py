"""Show on the terminal what a study will cost and how much disk space it takes."""

import shutil
import sys
from pathlib import Path
from typing import Any

from hinter.database import limit_queries
from hinter.errors import InputError
from hinter.job import logged_to
from hinter.limits import HeldOut
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
    planned_suites: list[str],
    corpora: list[str],
    suites: list[str],
    mutants: list[str],
    runs: list[dict[str, Any]],
    resources: dict[str, int],
    models: dict[str, int],
    budget_usd: float | None,
    seed: int,
    store: str,
) -> None:
    """Print the calls of paid models, if there are any, and then the disk space of each part.

    `runs` holds the `model` and `dataset` of each run, on which held-out texts (`held_out`) and
    whether on `discarded` mutants it is run, and of how many `labels` it keeps scores; `suites` has
    the suite of each, and `planned_suites` that of each plan. `resources` and `models` (those that
    the study makes) hold megabytes.
    """
    paid = planned_runs(plans, corpora=corpora, suites=planned_suites)
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
        scores=sum(count * run["labels"] for count, run in zip(inputs, runs, strict=True)),
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
    runs: list[dict[str, Any]], *, corpora: list[str], suites: list[str]
) -> list[int]:
    corpus_of = {Path(corpus).stem: Path(corpus) for corpus in corpora}
    shards = (
        SuiteShard(
            corpus=corpus_of[run["dataset"]],
            suite=Path(suite),
            held_out=HeldOut(**run["held_out"]),
            discarded=run["discarded"],
        )
        for run, suite in zip(runs, suites, strict=True)
    )
    return [len(shard) for shard in shards]


def _show(*lines: str) -> None:
    print("\n".join(lines), file=sys.__stdout__)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        limit_queries(memory_mb=snakemake.resources.mem_mb, threads=snakemake.threads)
        main(**snakemake.input, **snakemake.params.settings)
