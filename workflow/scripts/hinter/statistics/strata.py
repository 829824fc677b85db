"""The permutation test within strata, by its moments."""

import numpy as np
from scipy.stats import pearson3

from .arrays import Numbers, divide


def sampling_moments(
    drawn: Numbers, units: Numbers, squares: Numbers, cubes: Numbers
) -> tuple[Numbers, Numbers]:
    """Return variance and third central moment of the sum of units drawn from each stratum.

    Under the null the group's `drawn` units are any of the `units` of the stratum, all choices
    being equally likely. `squares` and `cubes` are the sums of the squared and cubed deviations
    of all its units from their mean: k (K-k) / (K (K-1)) and k (K-k) (K-2k) / (K (K-1) (K-2))
    times these, as for any sample without replacement (Cochran 1977, Sampling Techniques; of 0s
    and 1s, the moments of the hypergeometric distribution).
    """
    rest = drawn * (units - drawn)
    variance = divide(rest * squares, units * (units - 1))
    third = divide(rest * (units - 2 * drawn) * cubes, units * (units - 1) * (units - 2))
    return np.nan_to_num(variance), np.nan_to_num(third)


def permutation_p_values(
    deviation: Numbers, variance: Numbers, third: Numbers, *, two_sided: bool = True
) -> Numbers:
    """Return p-values of counts that deviate so far from their means under permutation.

    The distribution is taken for the Pearson type III one with the same variance and third moment,
    each of them a sum over strata, which follows the skewed distributions of rare outcomes (Mielke
    and Berry 2007, Permutation Methods), with a continuity correction of 1/2. One-sided tests ask
    for more than the mean. nan without variance: nothing can be permuted.
    """
    # Sums of equal numbers differ by rounding.
    known = variance > 1e-12
    spread = np.sqrt(np.where(known, variance, 1))
    skew = third / spread**3
    upper = pearson3.sf((deviation - 0.5) / spread, skew)
    lower = pearson3.cdf((deviation + 0.5) / spread, skew)
    p_values = np.minimum(1, 2 * np.minimum(upper, lower)) if two_sided else upper
    return np.where(known, p_values, np.nan)
