"""The permutation test within strata, approximated from its moments."""

import numpy as np
import scipy  # which loads scipy.stats when it is first used

from .arrays import Numbers, divide


def sampling_moments(
    drawn: Numbers, units: Numbers, squares: Numbers, cubes: Numbers
) -> tuple[Numbers, Numbers]:
    """Return variance and third central moment of the sum of units drawn from each stratum.

    Under the null the group's k = `drawn` units are a random choice of the K = `units` units of the
    stratum. `squares` and `cubes` are the sums of the squared and cubed deviations of all its units
    from their mean. The moments are k (K-k) / (K (K-1)) and k (K-k) (K-2k) / (K (K-1) (K-2)) times
    these, as for any sample without replacement (Cochran 1977, Sampling Techniques); for units of 0
    and 1 they are those of the hypergeometric distribution.
    """
    rest = drawn * (units - drawn)
    variance = divide(rest * squares, units * (units - 1))
    third = divide(rest * (units - 2 * drawn) * cubes, units * (units - 1) * (units - 2))
    return np.nan_to_num(variance), np.nan_to_num(third)


def permutation_p_values(
    deviation: Numbers, variance: Numbers, third: Numbers, *, two_sided: bool = True
) -> Numbers:
    """Return p-values of counts, given their deviations from the means under permutation.

    The null distribution is approximated by the Pearson type III distribution with the same
    `variance` and `third` moment, both sums over strata. It follows the skewed distributions of
    rare outcomes (Mielke and Berry 2007, Permutation Methods); the continuity correction is 1/2.
    The one-sided test is for counts above the mean. nan without variance, where nothing can be
    permuted.
    """
    # A variance of 0 may differ from 0 by rounding.
    known = variance > 1e-12
    spread = np.sqrt(np.where(known, variance, 1))
    skew = third / spread**3
    upper = scipy.stats.pearson3.sf((deviation - 0.5) / spread, skew)
    lower = scipy.stats.pearson3.cdf((deviation + 0.5) / spread, skew)
    p_values = np.minimum(1, 2 * np.minimum(upper, lower)) if two_sided else upper
    return np.where(known, p_values, np.nan)
