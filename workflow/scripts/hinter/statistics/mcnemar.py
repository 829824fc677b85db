"""McNemar's test of two rates on the same trials."""

from scipy.stats import binomtest


def mcnemar_exact(first_only: int, second_only: int) -> float:
    """Return the two-sided exact p-value that two models succeed equally often on one suite.

    Of the discordant trials, `first_only` are successes of the first model alone: under the null
    they are Binomial(first_only + second_only, 1/2) (McNemar 1947, doi:10.1007/BF02295996). It
    holds for independent trials; 1 where none is discordant.
    """
    discordant = first_only + second_only
    return float(binomtest(first_only, discordant).pvalue) if discordant else 1.0
