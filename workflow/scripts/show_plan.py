"""Show what the calls of all models behind endpoints will cost, on the terminal."""

import sys
from pathlib import Path

from hinter.errors import InputError
from hinter.job import logged_to
from hinter.predictions import check_budget, planned_runs, spent_dollars, tabulate_plan


def main(
    *,
    plans: list[str],
    corpora: list[str],
    suites: list[str],
    budget_usd: float | None,
    seed: int,
    store: str,
) -> None:
    """Print calls, tokens and dollars per model, dataset and order, and what the budget allows."""
    runs = planned_runs(plans, corpora=corpora, suites=suites)
    table, spent = tabulate_plan(runs), spent_dollars(Path(store))
    lines = [
        table.to_string(index=False, na_rep="no price"),
        f"at most ${table['dollars'].sum():.2f}, after ${spent:.2f} spent before",
    ]
    try:
        check_budget(runs, budget_usd=budget_usd, spent=spent, seed=seed)
    except InputError as error:
        lines.append(str(error))
    print("\n".join(lines), file=sys.__stdout__)


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.input, **snakemake.params.settings)
