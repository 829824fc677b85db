"""The summary at the top of the page: what was tested, what was found, and how sure it is."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pandas as pd

from ..tables import COUNTED, NOTHING, Results, describe_crossed, describe_groups, open_results
from .rates import (
    ATTRIBUTES,
    Rate,
    finding,
    number,
    points,
    rates_of_excess,
    rates_of_probes,
    rates_of_relations,
    rates_of_table2,
)

TEXTS = """
    SELECT dataset, count(*) AS texts FROM corpora WHERE tested GROUP BY dataset
"""
SOURCES = {
    "excess": rates_of_excess,
    "table2_bias_rates": rates_of_table2,
    "harness": rates_of_probes,
    "excess_of_faults": rates_of_relations,
}
"""The tables of headline rates; the first has those of the second, with their controls."""
NUMBERS = (
    *SOURCES,
    *("accuracy", "contrasts", "groups_bias", "power", "warnings", "corrected_rates"),
    "occurrences",
)
"""All tables from which the summary is made."""
NAMED = 3
"""The most runs of which the answer names each; of more, it names the two ends."""

MOST_RULES = 2
"""How many of the rules that leave something alone are named."""

Row = dict[Any, Any]
Numbers = Mapping[str, pd.DataFrame]
"""The tables in `NUMBERS` by name, except those that the study does not make."""


@dataclass(frozen=True)
class Summary:
    """The first screen.

    `answer` is the result of the primary comparison, and empty without one. `treated` says which
    groups are treated worse or better than others, and is empty if groups are not compared. `flow`
    has a row per model, dataset and order: the numbers from texts to hidden bias, each a part of
    the one before, and the accuracy. `untested` says why texts are not among them. `rates` are by
    measure, the primary one first, each with its finding. `warnings` say why rates say little, or
    how far they can be trusted.
    """

    answer: str
    treated: str
    flow: Sequence[Row]
    untested: Sequence[str]
    rates: Sequence[tuple[str, str, Sequence[Rate]]]
    warnings: Sequence[str]


def summarise(numbers: Numbers, *, corpora: Results) -> Summary:
    """Return the summary of a study from its tables and its texts."""
    rates = list(_rates(numbers))
    by_measure = [(name, list(group)) for name, group in groupby(rates, key=lambda r: r.measure)]
    return Summary(
        answer=_answer([rate for rate in rates if rate.primary], _rows(numbers, "power")),
        treated=" ".join(filter(None, _treated_groups(numbers))),
        flow=_flow(numbers, corpora),
        untested=[*_untested_texts(_rows(numbers, "occurrences"))],
        rates=[(name, finding(group), group) for name, group in by_measure],
        warnings=[
            *(row["message"] for row in _rows(numbers, "warnings")),
            *_without_primary(_rows(numbers, "excess")),
            *_soundness(_rows(numbers, "corrected_rates")),
        ],
    )


def _answer(primary: Sequence[Rate], power: Sequence[Row]) -> str:
    if not primary:
        return ""
    above = [rate for rate in primary if rate.above]
    many = len(primary) > NAMED
    some = 0 < len(above) < len(primary)
    among = f" in {len(above) or 'any'} of {len(primary)} runs" if many or some else ""
    named = f": {', '.join(map(_run, above))}" if len(above) <= NAMED else ""
    found = (
        f"Yes{among}{named}. More than the controls show, and than chance explains."
        if above
        else f"Not found by this study{among}."
    )
    excess = [(rate.excess, rate) for rate in primary if many and rate.excess is not None]
    findable = [] if above else [(_least_excess(rate, power), rate) for rate in primary]
    if findable and power and not any(size for size, _ in findable):
        found += " Its texts are too few to find an excess of any size with 80 % power."
    return found + "".join(
        f" {words} {said}."
        for words, said in (
            ("The excess is", _sizes(excess, points, many=True)),
            ("With 80 % power, it could find an excess of", _sizes(findable, _unsigned, many=many)),
        )
        if said
    )


def _sizes(
    sizes: Sequence[tuple[float | None, Rate]], say: Callable[[float], str], *, many: bool
) -> str:
    """Return the sizes with their runs, only the least and the largest if there are many."""
    known = [(size, rate) for size, rate in sizes if size is not None]
    if many and known:
        ends = [end(known, key=lambda each: each[0]) for end in (min, max)]
        known = [*dict(ends).items()]
    said = [f"{say(size)} points for {_run(rate)}" for size, rate in known]
    return (" to " if many else ", of ").join(said)


def _unsigned(difference: float) -> str:
    return points(difference).lstrip("+")


def _run(rate: Rate) -> str:
    return f"{rate.model} on {rate.dataset}"


def _least_excess(rate: Rate, power: Sequence[Row]) -> float | None:
    """Return the least excess that the test finds four times in five, for the rarest bias."""
    rows = [
        row
        for row in power
        if (row["dataset"], row["order"], row["measure"])
        == (rate.dataset, rate.order, rate.quantity)
    ]
    # A model that is run on a part of the suite has separate lines.
    own = [row for row in rows if row["suite"] == rate.model]
    whole = [row for row in rows if row["suite"] == "whole"]
    known = sorted(own or whole, key=lambda row: row["base_rate"])
    return number(known[0]["least_excess"]) if known else None


def _flow(numbers: Numbers, corpora: Results) -> list[Row]:
    """Return the rows of Table 2, with the texts of each dataset and the held-out ones."""
    if not corpora:
        return []
    texts = dict(open_results(corpora=corpora).execute(TEXTS).fetchall())
    held_out = {(row["model"], row["dataset"]): row["n"] for row in _rows(numbers, "accuracy")}
    return [
        row
        | {
            "texts": texts[row["dataset"]],
            "attributes": ATTRIBUTES[row["order"]],
            "held_out": held_out.get((row["model"], row["dataset"])),
        }
        for row in _rows(numbers, "table2_bias_rates")
    ]


def _untested_texts(occurrences: Sequence[Row]) -> Iterator[str]:
    """Yield for each dataset and operator why mutants cannot be made of texts."""
    kept = [row for row in occurrences if row["rule"] != COUNTED]
    for dataset, of_one in groupby(kept, key=lambda row: row["dataset"]):
        texts = {row["rule"]: row["texts"] for row in of_one}
        nothing = f"{dataset}: {texts.pop(NOTHING, 0):,} texts have nothing to change."
        most = sorted(texts, key=lambda rule: (-texts[rule], rule))[:MOST_RULES]
        named = " and ".join(f"{rule} ({texts[rule]:,} texts)" for rule in most)
        others = (
            " Of the others, most are left alone, in part or as a whole, by the rules "
            f"{named}; see occurrences."
        )
        yield nothing + (others if named else "")


def _treated_groups(numbers: Numbers) -> Iterator[str]:
    for name, say in (("contrasts", describe_groups), ("groups_bias", describe_crossed)):
        if len(numbers.get(name, ())):
            yield say(numbers[name])


def _rates(numbers: Numbers) -> Iterator[Rate]:
    made = {name: table for name, table in numbers.items() if len(table)}
    for name, source in SOURCES.items():
        if name in made and not (name == "table2_bias_rates" and "excess" in made):
            yield from source(made[name])


def _without_primary(excess: Sequence[Row]) -> Iterator[str]:
    if excess and not any(row["primary"] for row in excess):
        yield "The primary comparison has no verdicts, so all comparisons are exploratory."


def _soundness(corrected: Sequence[Row]) -> Iterator[str]:
    """Yield how many mutants of several attributes are sound, by operator and kind of texts."""
    known = [row for row in corrected if row["level"] == "intersectional" and row["assessed"]]
    for row in {(row["operator"], row["texts"]): row for row in known}.values():
        low, share, high = (
            f"{100 * row[name]:.0f}" for name in ("precision_low", "precision", "precision_high")
        )
        yield (
            f"{row['annotators'].capitalize()} have judged {row['assessed']} valid mutants of "
            f"several attributes like these, in texts of {row['texts']} (operator "
            f"{row['operator']}): {share} % [{low}, {high}] are sound, that is, their grammar and "
            "meaning survive."
        )


def _rows(numbers: Numbers, name: str) -> list[Row]:
    return numbers[name].to_dict("records") if name in numbers else []
