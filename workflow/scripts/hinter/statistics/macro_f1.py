"""The difference of macro F1 between two models on the same texts."""

from collections.abc import Sequence

import numpy as np

from .arrays import Numbers, divide
from .resampling import Sums, bootstrap
from .wilson import Interval


def macro_f1(labels: Sequence[Sums]) -> float:
    """Return the mean F1 of the labels, each given by its `Sums` over texts; nan for none.

    The parts of a label are twice its true positives, the wholes how often it is expected plus how
    often it is found.
    """
    return float(np.mean([sum(parts) / sum(wholes) for parts, wholes in labels] or [np.nan]))


def bootstrap_macro_f1_difference(
    first: Sequence[Sums], second: Sequence[Sums], *, seed: int, confidence: float = 0.95
) -> Interval:
    """Return the percentile interval of the first macro F1 minus the second, resampling texts.

    Labels are given as to `macro_f1`. Those that a resample neither expects nor finds do not count
    in it. Where all resamples agree, the interval allows for texts that were not seen.
    """

    def difference(*totals: Numbers) -> Numbers:
        scores = divide(np.stack(totals[::2]), np.stack(totals[1::2]))
        means: list[Numbers] = [
            np.nanmean(part, axis=0) for part in (scores[: len(first)], scores[len(first) :])
        ]
        return means[0] - means[1]

    return bootstrap(
        [*first, *second],
        difference,
        bounds=(-1, 1),
        seed=seed,
        confidence=confidence,
        resamples=2000,
    )
