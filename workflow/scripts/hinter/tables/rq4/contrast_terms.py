"""Intervals of contrasts that treat the terms of groups as a sample, as well as the texts."""

from collections.abc import Sequence

import pandas as pd
import scipy

from ..lines import STEP
from .contrast_units import LINE, MENTION, compared, contrast_sums, lines_of

FEWEST_TERMS = 3
"""With fewer terms in a group, their variance cannot be estimated."""


def term_columns(by_term: pd.DataFrame) -> pd.DataFrame:
    """Return the `terms` of each group, and the interval of its contrast with terms as a sample.

    `by_term` has the units of `read_units`; cells are left out. To the variance by original is
    added the variance of the means of terms, of the group and of the others, beyond what terms in
    single originals explain: the variance components of a model with crossed random effects of
    originals and terms, by the method of moments. The ends use Student's t with the degrees of
    freedom of Satterthwaite (1946, doi:10.2307/3002019). They are nan for fewer than
    `FEWEST_TERMS`.
    """
    cells = by_term["attribute"].str.contains("+", regex=False)
    by_term = by_term[(by_term["scored"] > 0) & ~cells]
    units = by_term.groupby(MENTION)[["scored", "shift"]].sum().reset_index()
    units = compared(units, part="shift", whole="scored")
    sums = contrast_sums(units)
    totals = sums.groupby(LINE)[["part", "weight"]].sum()
    own = _parts(by_term, units)
    text, n = _variance(_rests(sums, totals, ["original_id"]), totals)
    rests = _rests(own, totals, ["term", "original_id"])
    of_terms, terms = _variance(rests.groupby([*LINE, "term"]).sum(), totals)
    # A single term has no variance.
    extra = (of_terms - _noise(rests) / totals["weight"] ** 2).clip(lower=0).where(terms > 1)
    number = totals["weight"]
    others = _sum_of_others(number)
    from_others = _sum_of_others(extra * number**2) / others**2
    slack = _sum_of_others((extra * number**2) ** 2 / (terms - 1)) / others**4
    variance = text + extra + from_others
    freedom = variance**2 / (text**2 / (n - 1) + extra**2 / (terms - 1) + slack)
    reach = variance**0.5 * scipy.stats.t.ppf(0.975, freedom)
    reach = reach.where(terms >= FEWEST_TERMS) / STEP
    contrast = totals["part"] / number / STEP
    ends = {"contrast_terms_low": contrast - reach, "contrast_terms_high": contrast + reach}
    return pd.DataFrame(ends).round(6).assign(terms=terms.astype("Int64"))


def _parts(by_term: pd.DataFrame, units: pd.DataFrame) -> pd.DataFrame:
    """Return the contribution of each term to its group's contrast, and its weight, by mention."""
    mention = [*LINE, "original_id", "position"]
    others = lines_of(units)[["stratum", *LINE, "others"]]
    own = by_term.merge(units[[*mention, "stratum"]], on=mention).merge(others)
    weight = own["scored"] / own.groupby(mention)["scored"].transform("sum")
    return own.assign(weight=weight, part=weight * (own["shift"] / own["scored"] - own["others"]))


def _rests(sums: pd.DataFrame, totals: pd.DataFrame, clusters: Sequence[str]) -> "pd.Series[float]":
    """Return how much more each cluster adds to the sum of a line than its weight's share."""
    total = totals.loc[pd.MultiIndex.from_frame(sums[LINE])].to_numpy()
    rests = sums["part"] - sums["weight"] * total[:, 0] / total[:, 1]
    by_cluster: pd.Series[float] = rests.groupby([sums[name] for name in (*LINE, *clusters)]).sum()
    return by_cluster


def _variance(
    rests: "pd.Series[float]", totals: pd.DataFrame
) -> tuple["pd.Series[float]", "pd.Series[int]"]:
    """Return the variance of each contrast over clusters with these rests, and their number."""
    squares = (rests**2).groupby(LINE).agg(["sum", "size"]).reindex(totals.index)
    n = squares["size"]
    return squares["sum"] * n / (n - 1) / totals["weight"] ** 2, n


def _noise(rests: "pd.Series[float]") -> "pd.Series[float]":
    """Return the sum of squares that is due to single texts, by line.

    If a text has several terms of a group, their common part is not noise of a term.
    """
    text = rests.groupby([*LINE, "original_id"])
    size = text.transform("size")
    centred = (rests - text.transform("mean")) ** 2 * size / (size - 1)
    return centred.where(size > 1, rests**2).groupby(LINE).sum()


def _sum_of_others(values: "pd.Series[float]") -> "pd.Series[float]":
    """Return the sum over the other groups of the attribute whose value is known."""
    return values.groupby("attribute").transform("sum") - values.fillna(0)
