"""Rates in words: whether more was found than in the controls, and how much."""

from collections.abc import Callable, Sequence

from .rates import Rate, points


def finding(rates: Sequence[Rate]) -> str:
    """Return in how many runs the test finds more than in the controls, or the size of the rate.

    This includes the largest excess, or the smallest and the largest share, with their intervals.
    """
    runs = f"{len(rates)} run{'s' * (len(rates) > 1)}"
    if any(rate.excess is not None for rate in rates):
        above = sum(rate.above for rate in rates)
        largest = max(rates, key=lambda rate: -1 if rate.excess is None else rate.excess)
        ends = _interval(largest.excess_low, largest.excess_high, points)
        most = f"{'largest excess' if len(rates) > 1 else 'excess'} {points(largest.excess)}"
        return f"more than in the controls in {above} of {runs}; {most} points{ends}"
    known = [rate for rate in rates if rate.share is not None]
    if not known:
        return "nothing to show"
    known.sort(key=lambda rate: rate.share or 0)
    span = [percent(each.share) + _interval(each.low, each.high, percent) for each in known]
    ends = " to ".join(dict.fromkeys((span[0], span[-1])))
    return f"{ends} in {runs}; no control to compare it with"


def _interval(low: float | None, high: float | None, say: Callable[[float], str]) -> str:
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


def percent(share: float | None, decimals: int = 1) -> str:
    """Return a share in per cent, or a dash if it is unknown."""
    return "–" if share is None else f"{100 * share:.{decimals}f} %"
