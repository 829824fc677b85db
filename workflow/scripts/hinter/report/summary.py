"""What the page says first: what was tested, what was found, and how sure it is."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pandas as pd

from ..tables import Results, open_results, say_crossed, say_groups
from .rates import (
    ATTRIBUTES,
    Rate,
    points,
    rates_of_excess,
    rates_of_probes,
    rates_of_relations,
    rates_of_table2,
)

SUITES = """
    SELECT dataset, count(DISTINCT original_id) AS originals,
        count(*) FILTER (NOT control) AS mutants, count(*) FILTER (control) AS controls
    FROM suites GROUP BY dataset ORDER BY dataset
"""
SOURCES = {
    "excess": rates_of_excess,
    "table2_bias_rates": rates_of_table2,
    "harness": rates_of_probes,
    "excess_of_faults": rates_of_relations,
}
"""The tables that headline rates are in; the first has those of the second, with their controls."""
NUMBERS = (*SOURCES, "accuracy", "contrasts", "groups_bias", "warnings", "comparator_validity")
"""All tables that the summary is made of."""

Row = dict[Any, Any]
Numbers = Mapping[str, pd.DataFrame]
"""The tables of `NUMBERS` by name; those that the study does not make are left out."""


@dataclass(frozen=True)
class Summary:
    """What the first screen tells.

    `treated` says which groups are treated worse or better than others, and is empty where groups
    are not compared; `suites` has dataset, originals, mutants and controls; `accuracy` is the table
    of this name; `rates` are by measure, the most telling first, each with its finding; `warnings`
    say why rates say little, or how far they can be trusted.
    """

    treated: str
    suites: Sequence[Row]
    accuracy: Sequence[Row]
    rates: Sequence[tuple[str, str, Sequence[Rate]]]
    warnings: Sequence[str]


def summarise(numbers: Numbers, *, suites: Results, comparator: str) -> Summary:
    """Return the summary of a study by its tables, its suites and the invariant's comparator."""
    by_measure = groupby(_rates(numbers), key=lambda rate: rate.measure)
    measured = [(name, list(rates)) for name, rates in by_measure]
    return Summary(
        treated=" ".join(filter(None, _treated(numbers))),
        suites=open_results(suites=suites).execute(SUITES).df().to_dict("records")
        if suites
        else [],
        accuracy=_rows(numbers, "accuracy"),
        rates=[(name, finding(rates), rates) for name, rates in measured],
        warnings=[
            *(row["told"] for row in _rows(numbers, "warnings")),
            *_unnamed(_rows(numbers, "excess")),
            *_undecided(_rows(numbers, "table2_bias_rates")),
            *_unsound(_rows(numbers, "comparator_validity"), comparator=comparator),
        ],
    )


def finding(rates: Sequence[Rate]) -> str:
    """Return in how many runs the test finds a measure above its control, or how large it is.

    The largest excess, or the smallest and the largest share, are told with their intervals.
    """
    runs = f"{len(rates)} run{'s' * (len(rates) > 1)}"
    if any(rate.excess is not None for rate in rates):
        above = sum(rate.above for rate in rates)
        largest = max(rates, key=lambda rate: -1 if rate.excess is None else rate.excess)
        ends = _interval(largest.excess_low, largest.excess_high, points)
        most = f"{'largest excess' if len(rates) > 1 else 'excess'} {points(largest.excess)}"
        kind = "primary comparison" if largest.primary else "exploratory"
        tested = f"above its control by the test (q) in {above} of {runs}"
        return f"{kind}: {tested}; {most} points{ends}"
    known = [rate for rate in rates if rate.share is not None]
    if not known:
        return "nothing to show"
    known.sort(key=lambda rate: rate.share or 0)
    span = [percent(each.share) + _interval(each.low, each.high, percent) for each in known]
    told = " to ".join(dict.fromkeys((span[0], span[-1])))
    return f"{told} in {runs}; no control to compare it with"


def _interval(low: float | None, high: float | None, say: Callable[[float], str]) -> str:
    return "" if low is None or high is None else f" [{say(low)}, {say(high)}]"


def reach(rates: Sequence[Rate]) -> float:
    """Return how far from 0 the intervals of the excesses reach, at least a point."""
    ends = [abs(end) for rate in rates for end in (rate.excess_low, rate.excess_high) if end]
    return max(ends, default=0.01)


def sentence(rate: Rate) -> str:
    """Return what was found, and whether it is more than chance, in plain words."""
    return _found(rate) + rate.plain


def _found(rate: Rate) -> str:
    told = f"Of {rate.n} {rate.of}, {rate.found} {rate.did}"
    if rate.control is None:
        return f"{told}."
    told += f"; of {rate.against}, {round(rate.control * rate.n)}."
    if rate.q is None:
        return f"{told} They are too few to tell whether that is chance."
    tested = f"(q = {rate.q:.2g})"
    if rate.above:
        return f"{told} That is more than chance explains {tested}."
    if rate.below:
        return f"{told} That is less than in its control {tested}."
    return f"{told} The difference may be chance {tested}."


def _treated(numbers: Numbers) -> Iterator[str]:
    for name, say in (("contrasts", say_groups), ("groups_bias", say_crossed)):
        if len(numbers.get(name, ())):
            yield say(numbers[name])


def _rates(numbers: Numbers) -> Iterator[Rate]:
    made = {name: table for name, table in numbers.items() if len(table)}
    for name, source in SOURCES.items():
        if name in made and not (name == "table2_bias_rates" and "excess" in made):
            yield from source(made[name])


def _unnamed(excess: Sequence[Row]) -> Iterator[str]:
    if excess and not any(row["primary"] for row in excess):
        yield "The primary comparison has no verdicts, so all comparisons are exploratory."


def _undecided(table2: Sequence[Row]) -> Iterator[str]:
    for row in table2:
        if row["complete"] < row["biased"]:
            yield (
                f"{row['model']} on {row['dataset']}: whether bias is hidden is known for "
                f"{row['complete']} of {row['biased']} biased mutants of "
                f"{ATTRIBUTES[row['order']]}: the others have parts that are not valid or were not "
                "run."
            )


def _unsound(validity: Sequence[Row], *, comparator: str) -> Iterator[str]:
    for row in validity:
        if (row["level"], row["comparator"]) == ("intersectional", comparator):
            low, share, high = (
                f"{100 * row[name]:.0f}"
                for name in ("precision_low", "precision", "precision_high")
            )
            yield (
                "Nobody has read most of these mutants. "
                f"{row['readers'].capitalize()} have read others: of valid ones of several "
                f"attributes, {share} % [{low}, {high}] are sound, that is, their grammar and "
                "meaning survive."
            )


def _rows(numbers: Numbers, name: str) -> list[Row]:
    return numbers[name].to_dict("records") if name in numbers else []


def percent(share: float | None, decimals: int = 1) -> str:
    """Return a share in per cent, a dash where it is unknown."""
    return "–" if share is None else f"{100 * share:.{decimals}f} %"
