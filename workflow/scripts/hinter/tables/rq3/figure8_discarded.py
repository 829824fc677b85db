"""Figure 8 of the paper: grammar scores of valid and of discarded mutants (RQ3)."""

from collections.abc import Mapping
from math import nan
from typing import Any

import pandas as pd

from ...statistics import bootstrap_difference, likely_bounds
from ..columns import number_columns, with_bootstrap
from ..groups import name_totals, row_per_check, split_checks
from ..rq2.figure5_grammar import CHANGE, COLUMNS, PAIRS, SCORE, SHOWN_SCORES, SUMS, score_columns
from ..shown import in_points, shown
from ..table import Results, Table, query_results

QUERY = f"""
    SELECT dataset, level, "check", cluster, {SUMS}
    FROM ({PAIRS})
    GROUP BY CUBE (dataset, level), "check", cluster
    ORDER BY dataset NULLS FIRST, level NULLS FIRST, "check" DESC, cluster
"""
KEYS = ["dataset", "level", "check"]
COMPARED = {
    "score_valid_minus_discarded": ("mutants", SCORE),
    "difference_valid_minus_discarded": ("change", CHANGE),
}
"""The columns that compare valid with discarded mutants, with their totals and their bounds."""

MORE = {
    **with_bootstrap(
        "score_valid_minus_discarded", "score_mutants of valid mutants minus that of discarded ones"
    ),
    **with_bootstrap(
        "difference_valid_minus_discarded",
        "difference of valid mutants minus that of discarded ones",
    ),
}


def tabulate_discarded(grammar: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset, level of mutants and check.

    The columns are those of `score_columns`. The rows of discarded mutants also have the values of
    the valid mutants minus their own, for `score_mutants` and `difference`. The latter allows for
    valid and discarded mutants of different originals, or of the same ones in different numbers.
    The intervals resample valid and discarded mutants together.
    """
    sums = name_totals(query_results(QUERY, grammar=grammar), "dataset", "level")
    return row_per_check(sums, KEYS, _scores, _compare, columns=[*KEYS, *COLUMNS, *MORE], seed=seed)


def _scores(part: pd.DataFrame, both: pd.DataFrame, *, seed: int) -> Mapping[str, Any]:
    return score_columns(part, seed=seed)


def _compare(sums: pd.DataFrame, *, seed: int) -> dict[str, float]:
    sums = sums[sums["n"] > 0].assign(change=sums["mutants"] - sums["originals"])
    valid, discarded = split_checks(sums, ["weight", "mutants", "change"])
    numbers: dict[str, float] = {}
    for name, (total, bounds) in COMPARED.items():
        sides = [(side[total].tolist(), side["weight"].tolist()) for side in (valid, discarded)]
        means = [sum(parts) / sum(weights) if any(weights) else nan for parts, weights in sides]
        both = [[*first, *second] for first, second in zip(*sides, strict=True)]
        likely = likely_bounds(*both, bounds=bounds)
        interval = bootstrap_difference(*sides, bounds=likely, seed=seed)
        numbers |= number_columns(name, means[0] - means[1], interval)
    return numbers


TABLE = Table(
    title="Figure 8 as a table: grammar of discarded mutants",
    reads=("grammar",),
    settings=("seed",),
    only_if=("grammar", "discarded"),
    columns={
        "dataset": "name of the dataset, or all",
        "level": "level of the mutants: all, intersectional or atomic",
        "check": "the invariant's check: valid or discarded",
        **COLUMNS,
        **MORE,
    },
    compute=tabulate_discarded,
    show=shown(
        *KEYS,
        *SHOWN_SCORES,
        *(
            in_points(name, f"{what}: valid - discarded", ends="{}: by original")
            for what, name in zip(("score", "difference"), COMPARED, strict=True)
        ),
    ),
    caption=(
        "Grammar scores of valid and of discarded mutants and of their originals: means over the "
        "same pairs, weighted by the tokens of the original, and their difference, in points of "
        "100, with a 95 % cluster bootstrap by original. The last columns subtract discarded from "
        "valid mutants: in score, which also depends on their originals, and in difference from "
        "the originals, which does not."
    ),
    empty="Nothing to show: no mutant has a grammar score.",
    about="Scores are LanguageTool's. Right: the difference between mutants and their originals.",
)
