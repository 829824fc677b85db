"""Figure 4 of the paper: originals with at least one intersectional bias (RQ1)."""

import pandas as pd

from .counts import Published
from .numbers import PublishedTable, as_numbers, compared_with_printed


def figure4(published: Published) -> pd.DataFrame:
    """Return the originals with at least one biased intersectional mutant, by model and in all.

    Shares are of the originals with at least one valid intersectional mutant
    (process_results.py:926-1024). In the totals an original counts once, and as biased if it is
    biased under any model.
    """
    counts = published.originals
    # All encoders were run on the same mutants; the file gives their originals for the first only.
    counts = counts.assign(originals=counts.groupby("dataset")["originals"].ffill())
    sums = counts.groupby("model", sort=False, as_index=False)[["originals", "biased"]].sum()
    sums = sums.assign(part="all")
    numbers = as_numbers(sums, part="part", biased_originals=("biased", "originals"))
    return compared_with_printed(published, numbers)


TABLE = PublishedTable(
    title="Figure 4: biased originals",
    reads=("published",),
    compute=figure4,
    caption=(
        "Originals with at least one biased intersectional mutant (Figure 4), from the "
        "published counts."
    ),
)
