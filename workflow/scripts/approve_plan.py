"""Approve or refuse the planned calls of all models behind endpoints."""

import logging
from pathlib import Path

from hinter.job import run_job
from hinter.predictions import check_budget, planned_runs, show_plan, spent_dollars, write_approval


def main(
    *,
    plans: list[str],
    corpora: list[str],
    suites: list[str],
    budget_usd: float | None,
    prices: dict[str, dict[str, float]],
    seed: int,
    store: str,
    approval: str,
) -> None:
    """Write the budget and the prices to `approval` if the plan is within the budget."""
    runs = planned_runs(plans, corpora=corpora, suites=suites)
    logging.info("planned calls, at most:\n%s", show_plan(runs))
    check_budget(runs, budget_usd=budget_usd, spent=spent_dollars(Path(store)), seed=seed)
    write_approval(Path(approval), budget_usd=budget_usd, prices=prices)


if __name__ == "__main__":
    run_job(main, snakemake)
