"""Bias in excess of the noise floor: changes beyond the model's own variation."""

import pandas as pd

from ...statistics import permutation_p_values, sampling_moments
from .group_units import NAMES


def excess_over_noise(sums: pd.DataFrame, flips: pd.DataFrame) -> pd.DataFrame:
    """Return the noise rate of each line, and a one-sided test that mutants flip no more often.

    `sums` has `n` mutants, and `biased` ones among them, by line and original; `flips` has
    `repeats` and `flips` by original. If mutations have no effect, answers on mutants of an
    original differ from its first answer as often as repeats do, so its flips fall on any of them
    alike. For one original this is Fisher's exact test, over originals that of Mantel and Haenszel
    (1959), computed here from the first three moments.
    """
    asked = sums.join(flips, on="original_id", how="inner")
    answers = asked["n"] + asked["repeats"]
    rate = (asked["biased"] + asked["flips"]) / answers
    squares = answers * rate * (1 - rate)
    columns = (asked["n"], answers, squares, squares * (1 - 2 * rate))
    variance, third = sampling_moments(*(column.to_numpy(dtype=float) for column in columns))
    deviation = asked["biased"] - asked["n"] * rate
    tested = asked.assign(deviation=deviation, variance=variance, third=third)
    lines = tested.groupby(NAMES, sort=False)
    totals = lines[["deviation", "variance", "third", "flips", "repeats"]].sum()
    p_values = permutation_p_values(*totals.to_numpy().T[:3], two_sided=False)
    return pd.DataFrame(
        {
            "noise_rate": (totals["flips"] / totals["repeats"]).round(6),
            "noise_p_value": p_values.round(6),
        },
        index=totals.index,
    )
