"""The headline rates of a study from its tables, each with its control, and in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ..yaml_files import data_of

ATTRIBUTES = {1: "one attribute", 2: "two attributes", 3: "three attributes", 4: "four attributes"}
LEVEL = 0.05
"""A comparison with a q-value of at most this is a discovery."""
_TOLD = data_of(__file__)
MEASURES: Mapping[str, Mapping[str, str]] = _TOLD["measures"]
"""The `title` of each measure, and what mutants with it `did`."""
CONTROLS: Mapping[str, Mapping[str, str]] = _TOLD["controls"]
"""The description of each kind of controls, and the addition if a measure has several kinds."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """How many of `n` show what is measured, for a model on a dataset or a probe.

    `measure` is its title, `quantity` and `order` are its names in tables. `of` describes the
    mutants, `did` says what the `found` ones among them did, and `against` describes those with the
    share `control`. Shares are proportions with the ends of their 95 % intervals; unknown values
    are None. `excess` is the share less that of the control, and `q` the q-value of its test. One
    measure may be `primary`, named before the run; all others are exploratory.
    """

    measure: str
    quantity: str = ""
    order: int = 0
    of: str
    did: str
    model: str
    dataset: str
    n: int
    found: int
    share: float | None
    low: float | None = None
    high: float | None = None
    against: str = ""
    control: float | None = None
    excess: float | None = None
    excess_low: float | None = None
    excess_high: float | None = None
    q: float | None = None
    primary: bool = False
    plain: str = ""
    """A sentence with the result without words that are positive or negative by themselves."""
    cases: Mapping[str, str] = field(default_factory=dict)
    """The filters of the page that select the cases that were found, none without cases."""

    @property
    def above(self) -> bool:
        """Whether the test finds a larger share than in the control."""
        return self._found and self.excess is not None and self.excess > 0

    @property
    def below(self) -> bool:
        """Whether the test finds a smaller share than in the control."""
        return self._found and self.excess is not None and self.excess < 0

    @property
    def _found(self) -> bool:
        return self.q is not None and self.q <= LEVEL


def rates_of_excess(excess: pd.DataFrame) -> Iterator[Rate]:
    """Yield the rates of all attributes in `excess`: the primary one, hidden bias, high orders."""
    rows = excess[excess["attributes"] == "all"]
    by = ["primary", "measure", "order", "compared_with"]
    for row in rows.sort_values(by, ascending=False, kind="stable").to_dict("records"):
        measure, controls = MEASURES[row["measure"]], CONTROLS[row["compared_with"]]
        yield Rate(
            measure=f"{measure['title']} with {ATTRIBUTES[row['order']]}{controls['over']}",
            quantity=row["measure"],
            order=row["order"],
            of=f"mutants of {ATTRIBUTES[row['order']]}",
            did=measure["did"],
            against=controls["against"],
            control=number(row["control_rate"]),
            primary=row["primary"],
            plain=_plain(row) if row["primary"] else "",
            cases=_cases(row, hidden=row["measure"] == "hidden bias"),
            **_counted(row, share="rate"),
            **_excess(row),
        )


def rates_of_table2(table2: pd.DataFrame) -> Iterator[Rate]:
    """Yield the rates of a study without controls: first hidden ones among biased mutants."""
    hidden = table2.assign(n=table2["biased"])
    for measure, share, rows, title, of in (
        ("hidden bias", "hidden_rate", hidden, "Hidden among biased mutants of", "biased mutants"),
        ("bias", "bias_rate", table2, "Bias with", "mutants"),
    ):
        for row in rows.to_dict("records"):
            yield Rate(
                measure=f"{title} {ATTRIBUTES[row['order']]}",
                of=f"{of} of {ATTRIBUTES[row['order']]}",
                did=MEASURES[measure]["did"],
                cases=_cases(row, hidden=measure == "hidden bias"),
                **_counted(row, share=share),
                **_interval(row, f"{share}_cluster"),
            )


def rates_of_probes(harness: pd.DataFrame) -> Iterator[Rate]:
    """Yield the scores of the probes: hits among the answers that could be one."""
    for row in harness.to_dict("records"):
        yield Rate(
            measure=f"{row['scenario']}: {row['detector']}",
            of="answers that could show bias",
            did="did",
            cases={"dataset": row["probe"], "model": row["model"], "hit": "yes"},
            **_counted({**row, "dataset": row["probe"]}, share="score"),
            **_interval(row, "score"),
        )


def rates_of_relations(excess: pd.DataFrame) -> Iterator[Rate]:
    """Yield faults by metric, first of relations that keep the information, then of the others.

    The control is the share of faults when the same prompt is asked again.
    """
    rows = excess[excess["level"] == "information"]
    rows = rows.sort_values(["line", "metric"], ascending=[False, True], kind="stable")
    for row in rows.to_dict("records"):
        yield Rate(
            measure=f"Another {row['metric']}, information {row['line']}",
            of=f"follow-ups with information {row['line']}",
            did=f"were answered in another {row['metric']}",
            against="the same prompts asked again",
            control=number(row["floor"]),
            cases={"model": row["model"], "fault": row["metric"], "information": row["line"]},
            **_counted({**row, "dataset": "relations"}, share="rate"),
            **_excess(row),
        )


def number(value: Any) -> float | None:
    """Return a cell of a table, or None if it is empty."""
    return None if pd.isna(value) else float(value)


def _cases(row: dict[Any, Any], *, hidden: bool) -> dict[str, str]:
    filters = {"check": "valid", "order": str(row["order"])}
    filters |= {name: row[name] for name in ("model", "dataset")}
    return filters | ({"hidden": "yes"} if hidden else {})


def _counted(row: dict[Any, Any], *, share: str) -> dict[str, Any]:
    proportion = number(row[share])
    return {
        "model": row["model"],
        "dataset": row["dataset"],
        "n": int(row["n"]),
        "found": round((proportion or 0) * row["n"]),
        "share": proportion,
    }


def _plain(row: dict[Any, Any]) -> str:
    if row["plain_n"] == row["n"] or number(row["plain_q_value"]) is None:
        return ""
    return (
        f" Without words that are positive or negative by themselves, {row['plain_n']:.0f} are "
        f"left, with an excess of {points(row['plain_excess'])} points "
        f"(q = {row['plain_q_value']:.2g})."
    )


def _interval(row: dict[Any, Any], name: str) -> dict[str, Any]:
    return {end: number(row[f"{name}_{end}"]) for end in ("low", "high")}


def _excess(row: dict[Any, Any]) -> dict[str, Any]:
    numbers = {name: number(row[name]) for name in ("excess", "excess_low", "excess_high")}
    return {**numbers, "q": number(row["q_value"])}


def points(difference: float | None) -> str:
    """Return a difference of shares in percentage points with its sign."""
    return "–" if difference is None else f"{100 * difference:+z.1f}".replace("+0.0", "0.0")


def finding(rates: Sequence[Rate]) -> str:
    """Return in how many runs the test finds more than in the controls, or the size of the rate.

    This includes the largest excess, or the smallest and the largest share, with their intervals.
    """
    runs = f"{len(rates)} run{'s' * (len(rates) > 1)}"
    if any(rate.excess is not None for rate in rates):
        above = sum(rate.above for rate in rates)
        largest = max(rates, key=lambda rate: -1 if rate.excess is None else rate.excess)
        ends = _in_brackets(largest.excess_low, largest.excess_high, points)
        most = f"{'largest excess' if len(rates) > 1 else 'excess'} {points(largest.excess)}"
        return f"more than in the controls in {above} of {runs}; {most} points{ends}"
    known = [rate for rate in rates if rate.share is not None]
    if not known:
        return "nothing to show"
    known.sort(key=lambda rate: rate.share or 0)
    span = [percent(each.share) + _in_brackets(each.low, each.high, percent) for each in known]
    ends = " to ".join(dict.fromkeys((span[0], span[-1])))
    return f"{ends} in {runs}; no control to compare it with"


def _in_brackets(low: float | None, high: float | None, say: Callable[[float], str]) -> str:
    return "" if low is None or high is None else f" [{say(low)}, {say(high)}]"


def axis_limit(rates: Sequence[Rate]) -> float:
    """Return how far from 0 the intervals of the excesses reach, at least one point."""
    ends = [abs(end) for rate in rates for end in (rate.excess_low, rate.excess_high) if end]
    return max(ends, default=0.01)


def sentence(rate: Rate) -> str:
    """Return in plain words what was found, and whether it is more than chance."""
    return _found(rate) + rate.plain


def _found(rate: Rate) -> str:
    found = f"Of {rate.n} {rate.of}, {rate.found} {rate.did}"
    if rate.control is None:
        return f"{found}."
    found += f"; of {rate.against}, {round(rate.control * rate.n)}."
    if rate.q is None:
        return f"{found} There are too few to test the difference."
    tested = f"(q = {rate.q:.2g})"
    if rate.above or rate.below:
        what = "more than chance explains" if rate.above else "less than the controls show"
        crosses = (rate.excess_low or 0) * (rate.excess_high or 0) < 0
        size = " How large it is remains open, as the interval includes 0." if crosses else ""
        return f"{found} That is {what} {tested}.{size}"
    if rate.excess == 0:
        return f"{found} There is no difference {tested}."
    return f"{found} The difference may be chance {tested}."


def percent(share: float | None) -> str:
    """Return a share in per cent, or a dash if it is unknown."""
    return "–" if share is None else f"{100 * share:.1f} %"
