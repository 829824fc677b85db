"""Print what a study can find, what it will cost and how much disk space it takes."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pandas as pd
from hinter.errors import InputError
from hinter.job import run_job
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

FINDABLE = """\
The excess over controls that each suite can show, in percentage points: the approximate width of
its 95 % interval, and the least excess that four studies in five would find, with p at most 0.05
over all mutants of an order. This assumes a model that changes its outcome after any edit at the
given rate, with the given correlation within originals, and a bias that is spread over originals
in the same way: see the table `power`.
"""


def main(
    *,
    plans: list[str],
    planned_suites: list[str],
    corpora: list[str],
    suites: list[str],
    mutants: list[str],
    power: str | list[str],
    matched: str | list[str],
    runs: list[dict[str, Any]],
    resources: dict[str, int],
    models: dict[str, int],
    budget_usd: float | None,
    seed: int,
    store: str,
    inherited: dict[str, str],
) -> None:
    """Print the controls, the least excess to be found, the paid calls, and the disk space.

    A study without controls has no tables `power` and `matched`, and one without paid models no
    calls: these parts are then left out.

    `runs` has the `model` and `dataset` of each run, its held-out texts (`held_out`), whether it
    includes `discarded` mutants, and for how many `labels` it keeps scores. `suites` has the suite
    of each run, and `planned_suites` that of each plan. `resources` and `models` (those that the
    study makes) are in megabytes. `inherited` settings are those of the default study.
    """
    if inherited:
        said = "; ".join(f"{key}: {value}" for key, value in inherited.items())
        _show(f"Not set by this study, so as in config/config.yaml: {said}", "")
    for path in [matched] if isinstance(matched, str) else matched:
        _show(*_controls(pd.read_csv(path)))
    for path in [power] if isinstance(power, str) else power:
        _show(*_findable(pd.read_csv(path)))
    paid = planned_runs(plans, corpora=corpora, suites=planned_suites)
    if paid:
        _show(*_cost(paid, budget_usd=budget_usd, seed=seed, store=Path(store)))
    corpus_of = {Path(corpus).stem: Path(corpus) for corpus in corpora}
    inputs = [
        len(
            SuiteShard(
                corpus=corpus_of[run["dataset"]],
                suite=Path(suite),
                held_out=HeldOut(**run["held_out"]),
                discarded=run["discarded"],
            )
        )
        for run, suite in zip(runs, suites, strict=True)
    ]
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


def _controls(rows: pd.DataFrame) -> list[str]:
    """Return how many mutants have a control, and what happens without any."""
    lines = [
        f"{row['dataset']}, order {row['order']}: {row['matched']:,} of {row['mutants']:,} mutants "
        "have a control"
        for row in rows.to_dict("records")
    ]
    if not rows["matched"].sum():
        lines += ["Without controls, rates are plain: what any edit does to a model also counts."]
    return [*lines, ""]


def _findable(rows: pd.DataFrame) -> list[str]:
    shown = rows[["suite", "dataset", "order", "measure", "n", "originals"]].assign(
        changes=rows["base_rate"].map("{:.0%}".format),
        correlation=rows["correlation"],
        interval=(100 * rows["excess_half_width"]).map("± {:.1f}".format),
        found=(100 * rows["least_excess"]).map("{:.1f}".format).replace("nan", "never"),
    )
    return [FINDABLE, shown.to_string(index=False), ""]


def _cost(runs: list[PlannedRun], *, budget_usd: float | None, seed: int, store: Path) -> list[str]:
    spent = spent_dollars(store)
    lines = [show_plan(runs), show_total(runs, spent=spent)]
    try:
        check_budget(runs, budget_usd=budget_usd, spent=spent, seed=seed)
    except InputError as error:
        lines.append(str(error))
    return lines


def _show(*lines: str) -> None:
    print("\n".join(lines), file=sys.__stdout__)


if __name__ == "__main__":
    run_job(main, snakemake)
