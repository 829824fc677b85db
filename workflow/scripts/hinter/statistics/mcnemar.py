"""McNemar's test of two rates on the same trials."""

import scipy  # which loads scipy.stats when it is first used


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Return the exact two-sided p-value for two models that succeed equally often on one suite.

    `first_only` and `second_only` count the discordant trials, in which only one model succeeds.
    Under the null, `first_only` is Binomial(first_only + second_only, 1/2) (McNemar 1947,
    doi:10.1007/BF02295996). The test assumes independent trials; it is 1 if none is discordant.
    """
    discordant = first_only + second_only
    return float(scipy.stats.binomtest(first_only, discordant).pvalue) if discordant else 1.0
