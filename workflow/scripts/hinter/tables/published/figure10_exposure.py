"""Figure 10 of the paper: originals by the campaigns that expose them (RQ4)."""

import pandas as pd

from ..groups import CAMPAIGNS
from .counts import Published
from .numbers import PublishedTable, as_numbers, compared_with_printed


def figure10(published: Published) -> pd.DataFrame:
    """Return the originals of each region by combination, as shares of all exposed ones.

    A region is named after the campaigns (first, second, intersectional) that find a biased mutant
    of an original; `none` has no share (process_results.py:1028-1096).
    """
    counts = published.exposure
    exposed = counts[CAMPAIGNS].any(axis=1)
    regions = counts[CAMPAIGNS].apply(lambda row: "+".join(row.index[row]), axis=1)
    sums = counts[exposed].groupby("combination")["originals"].sum()
    counts = counts.assign(exposed=counts["combination"].map(sums))
    numbers = [
        as_numbers(rows, part="combination", **{str(region): ("originals", "exposed")})
        for region, rows in counts[exposed].groupby(regions, sort=False)
    ]
    none = as_numbers(counts[~exposed], part="combination", none=("originals",))
    return compared_with_printed(published, *numbers, none)


TABLE = PublishedTable(
    title="Figure 10: exposed originals",
    reads=("published",),
    compute=figure10,
    caption=(
        "Originals by the campaigns that expose them (Figure 10), from the published counts, as "
        "shares of all exposed originals."
    ),
)
