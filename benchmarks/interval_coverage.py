"""How often intervals of an excess hold it, by originals: one JSON line.

`.venv/bin/python benchmarks/interval_coverage.py`. Mutants and controls of simulated studies change
the outcome as the table `power` assumes: at a base rate, and mutants by a bias, too. Beside the
interval of the table `excess` stand two others: the excesses that sign flips do not reject, and
Newcombe's hybrid score interval of paired proportions (1998, method 10), each rate with as many
trials as its clusters are worth. Of each there are the least and the mean coverage over all rates,
the largest shares of intervals that lie below and above the excess, and the mean width, in percent.
"""

import argparse
import json
import sys
from collections.abc import Callable
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

from hinter.statistics import Interval, cluster_bootstrap

RATES = (0.0, 0.02, 0.05, 0.1)
"""Base rates, and rates of the bias."""
CORRELATION, PAIRS = 0.4, 0.4
"""Of two texts of an original; of the geometric distribution of its pairs."""
FLIPS, STEPS = 999, 12

Numbers = npt.NDArray[np.float64]


class Sums(NamedTuple):
    """Pairs of each original, and how many of its mutants and controls change the outcome."""

    pairs: Numbers
    mutants: Numbers
    controls: Numbers


def main(*, originals: list[int], repetitions: int) -> None:
    """Print the record."""
    cells = [rates for rates in product(RATES, RATES) if any(rates)]
    record: dict[str, Any] = {"rates": RATES, "repetitions": repetitions}
    for size, (name, interval) in product(originals, INTERVALS.items()):
        found = np.array([missed(interval, size, *rates, times=repetitions) for rates in cells])
        covered = 100 - found[:, :2].sum(axis=1)
        record[f"{name}_{size}"] = {
            "least": round(covered.min(), 1),
            "mean": round(covered.mean(), 1),
            "below": round(found[:, 0].max(), 1),
            "above": round(found[:, 1].max(), 1),
            "width": round(found[:, 2].mean(), 1),
        }
    print(json.dumps(record))


def missed(
    interval: Callable[[Sums], Interval], size: int, base: float, bias: float, *, times: int
) -> Numbers:
    """Return how many intervals are below and above the excess, and their mean width."""
    rng, excess = np.random.default_rng(size), (1 - base) * bias
    ends = [interval(_draw(rng, size, base=base, bias=bias)) for _ in range(times)]
    low, high = np.array(ends).T
    return 100 * np.array(
        [(high < excess - 1e-9).mean(), (low > excess + 1e-9).mean(), (high - low).mean()]
    )


def _draw(rng: np.random.Generator, size: int, *, base: float, bias: float) -> Sums:
    spread = (1 - CORRELATION) / CORRELATION
    own, struck = (
        rng.beta(rate * spread, (1 - rate) * spread, size) if rate else np.zeros(size)
        for rate in (base, bias)
    )
    pairs = rng.geometric(PAIRS, size)
    changed = rng.binomial(pairs, own + (1 - own) * struck), rng.binomial(pairs, own)
    return Sums(*(column.astype(float) for column in (pairs, *changed)))


def by_bootstrap(sums: Sums) -> Interval:
    """Return the interval of the table `excess`."""
    differences = (sums.mutants - sums.controls).tolist()
    return cluster_bootstrap(differences, sums.pairs.tolist(), bounds=(-1, 1), seed=1)


def by_sign_flips(sums: Sums) -> Interval:
    """Return the ends of what two-sided sign flips do not reject, by bisection."""
    differences, size = sums.mutants - sums.controls, len(sums.pairs)
    signs = 2.0 * np.random.default_rng(1).integers(0, 2, (FLIPS, size)) - 1
    flipped, weighed = signs @ differences, signs @ sums.pairs
    total, weight = differences.sum(), sums.pairs.sum()

    def rejected(excess: float) -> bool:
        observed = abs(total - excess * weight) * (1 - 1e-9)
        reached = int((np.abs(flipped - excess * weighed) >= observed).sum())
        return (1 + reached) / (1 + FLIPS) <= 0.05

    ends = []
    for outside in (-1.0, 1.0):
        inside = total / weight if rejected(outside) else outside
        for _ in range(STEPS):
            middle = (inside + outside) / 2
            inside, outside = (inside, middle) if rejected(middle) else (middle, outside)
        ends.append(inside)
    return ends[0], ends[1]


def by_scores(sums: Sums) -> Interval:
    """Return Newcombe's interval, with score intervals of as many trials as clusters are worth."""
    weight, both = sums.pairs.sum(), []
    for changed in (sums.mutants, sums.controls):
        rate = changed.sum() / weight
        both.append((rate, *_score_interval(rate, _worth(changed, sums.pairs, rate), len(changed))))
    (first, low, high), (second, other_low, other_high) = both
    residuals = [
        changed - rate * sums.pairs for changed, (rate, *_) in zip(sums[1:], both, strict=True)
    ]
    norms = sqrt(np.prod([(residual**2).sum() for residual in residuals]))
    alike = float(residuals[0] @ residuals[1]) / norms if norms else 0.0
    ends = [
        sqrt(max(0.0, near**2 - 2 * alike * near * far + far**2))
        for near, far in ((first - low, other_high - second), (high - first, second - other_low))
    ]
    return first - second - ends[0], first - second + ends[1]


def _worth(changed: Numbers, pairs: Numbers, rate: float) -> float:
    """Return how many independent trials have the variance of the rate by clusters."""
    size = len(pairs)
    residuals = changed - rate * pairs
    variance = (residuals**2).sum() * size / (size - 1) / pairs.sum() ** 2
    return float(np.clip(rate * (1 - rate) / variance, 1, pairs.sum())) if variance else size


def _score_interval(rate: float, trials: float, size: int) -> Interval:
    z = float(scipy.stats.t.ppf(0.975, size - 1))
    middle, scale = rate + z * z / 2 / trials, 1 + z * z / trials
    half = z * sqrt(rate * (1 - rate) / trials + (z / 2 / trials) ** 2)
    return (middle - half) / scale, (middle + half) / scale


INTERVALS = {"bootstrap": by_bootstrap, "sign_flips": by_sign_flips, "scores": by_scores}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--originals", type=int, nargs="+", default=[3, 5, 10, 30, 100, 300])
    parser.add_argument("--repetitions", type=int, default=1000, help="of each rate")
    main(**vars(parser.parse_args()))
