"""Figure 4 of the paper: originals with at least one intersectional bias (RQ1)."""

import pandas as pd

from .shares import with_share
from .sources import Results, open_results
from .writing import percent, percent_intervals

COUNTS = """
    WITH originals AS (
        SELECT model, dataset, original_id, bool_or(biased) AS biased
        FROM verdicts WHERE "order" >= 2 AND counted AND drawn IS NULL
        GROUP BY ALL
    ),
    any_model AS (
        SELECT 'all' AS model, dataset, original_id, bool_or(biased) AS biased
        FROM originals GROUP BY ALL
    )
    SELECT model, count(*) AS originals, count(*) FILTER (biased) AS biased
    FROM (FROM originals UNION ALL FROM any_model)
    GROUP BY model
    ORDER BY model = 'all', model
"""


def tabulate_biased_originals(verdicts: Results) -> pd.DataFrame:
    """Return a row per model, and one for `all` (biased under any of them).

    Orders that are sampled do not count: a few mutants drawn of an original say little of it.
    Columns: model, originals (with a valid intersectional mutant that was run), biased (with at
    least one biased), share, share_low, share_high (its Wilson interval).
    """
    counts: pd.DataFrame = open_results(verdicts=verdicts).execute(COUNTS).df()
    return with_share(counts, "share", part="biased", whole="originals")


def show_biased_originals(shares: pd.DataFrame) -> pd.DataFrame:
    """Return the shares as they are read: percentages with 95 % Wilson intervals."""
    return pd.DataFrame(
        {
            "model": shares["model"],
            "originals": shares["originals"],
            "biased": shares["biased"],
            "share %": shares["share"].map(percent),
            "Wilson": percent_intervals(shares, "share"),
        }
    )
