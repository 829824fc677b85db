"""Bias in excess of the noise floor: changes beyond the model's own variation."""

import numpy as np
import pandas as pd

from ...statistics import Stratum, permutation_test
from .group_units import NAMES


def excess_over_noise(sums: pd.DataFrame, flips: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the noise rate of each line, and a one-sided test that mutants flip no more often.

    `sums` has `n` mutants, and `biased` ones among them, by line and original; `flips` has
    `repeats` and `flips` by original. If mutations have no effect, answers on mutants of an
    original differ from its first answer as often as repeats do, so its flips fall on any of them
    alike. For one original this is Fisher's exact test, over originals that of Mantel and Haenszel
    (1959).
    """
    asked = sums.join(flips, on="original_id", how="inner")
    asked["answers"] = asked["n"] + asked["repeats"]
    asked["changed"] = asked["biased"] + asked["flips"]
    lines = asked.groupby(NAMES, sort=False)
    p_values = lines[["n", "biased", "answers", "changed"]].apply(_p_value, seed=seed)
    totals = lines[["flips", "repeats"]].sum()
    return pd.DataFrame(
        {
            "noise_rate": (totals["flips"] / totals["repeats"]).round(6),
            "noise_p_value": p_values.astype(float).round(6),
        },
        index=totals.index,
    )


def _p_value(asked: pd.DataFrame, *, seed: int) -> float:
    counts = asked[["n", "answers", "changed"]].astype(int).values.tolist()
    strata = [
        Stratum(np.repeat([1.0, 0.0], [changed, answers - changed]), n)
        for n, answers, changed in counts
    ]
    expected = (asked["n"] * asked["changed"] / asked["answers"]).sum()
    deviation = float(asked["biased"].sum() - expected)
    return permutation_test(strata, deviation, seed=seed, two_sided=False)
