"""Estimate totals of parts of a plan from a sample, with intervals."""

from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import Any, NamedTuple

from ..models import NANO_DOLLARS
from .planned import PlannedRun, open_plans

UNSURE = 0.01
"""The maximum probability that an interval misses the total."""

# Only rows that stand for others as well have a weight above 1. These may have no calls themselves.
SAMPLES = f"""
    SELECT model, dataset, part, count(*) AS counted, round(sum(weight))::BIGINT AS inputs,
        sum(input_tokens)::DOUBLE AS tokens, var_pop(input_tokens) AS tokens_variance,
        max(most_input_tokens) AS most_tokens,
        sum(nano_dollars) / {NANO_DOLLARS} AS dollars,
        var_pop(nano_dollars / {NANO_DOLLARS}) AS dollars_variance,
        max(most_nano_dollars) / {NANO_DOLLARS} AS most_dollars
    FROM planned WHERE weight > 1
    GROUP BY model, dataset, part, place ORDER BY model, dataset, place
"""


class Total(NamedTuple):
    """An estimated total and the ends of its interval."""

    value: float
    low: float
    high: float


class Estimate(NamedTuple):
    """A part of a plan, with `counted` of its `inputs` counted; without a price, no dollars."""

    model: str
    dataset: str
    part: str
    counted: int
    inputs: int
    input_tokens: Total
    dollars: Total | None


def estimates(runs: Sequence[PlannedRun]) -> list[Estimate]:
    """Return the parts of the runs that are estimated."""
    rows = open_plans(runs).sql(SAMPLES).to_arrow_table().to_pylist()
    return [
        Estimate(
            *(row["model"], row["dataset"], row["part"]),
            *(row["counted"], row["inputs"]),
            input_tokens=_total(row, "tokens"),
            dollars=None if row["dollars"] is None else _total(row, "dollars"),
        )
        for row in rows
    ]


def _total(row: Mapping[str, Any], name: str) -> Total:
    return bounded_total(
        row[name],
        row[f"{name}_variance"],
        most=row[f"most_{name}"],
        counted=row["counted"],
        inputs=row["inputs"],
    )


def bounded_total(
    total: float, variance: float, *, most: float, counted: int, inputs: int
) -> Total:
    """Return the estimated total of all `inputs`, given that of a uniform sample of `counted`.

    `variance` is that within the sample. Each input counts between 0 and `most`. The interval is
    the empirical Bernstein bound (Audibert, Munos and Szepesvari 2009, theorem 1), which holds for
    any distribution and sample size, even if an expensive input was not sampled. It was proved for
    sampling with replacement; without it, the variance is smaller (Hoeffding 1963, section 6).
    """
    mean, unlikely = total / counted, log(3 / UNSURE) / counted
    off = sqrt(2 * variance * unlikely) + 3 * most * unlikely
    rest = inputs - counted
    # The counted part of the total is known.
    return Total(
        mean * inputs,
        max(total, (mean - off) * inputs),
        min(total + rest * most, (mean + off) * inputs),
    )
