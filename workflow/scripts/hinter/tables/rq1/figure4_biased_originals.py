"""Figure 4 of the paper: originals with at least one intersectional bias (RQ1)."""

import pandas as pd

from ..columns import with_wilson
from ..shares import with_share
from ..sources import Results, open_results
from ..table import Table
from ..writing import percent, percent_intervals

COUNTS = """
    WITH originals AS (
        SELECT model, dataset, original_id, bool_or(biased) AS biased
        FROM listed_verdicts WHERE "order" >= 2
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

    Sampled orders do not count: a few drawn mutants say little about their original.
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


TABLE = Table(
    question="RQ1",
    title="Figure 4 as a table: biased originals",
    reads=("verdicts",),
    warned=True,
    in_report=False,
    columns={
        "model": "name of the model",
        "originals": "originals with a valid intersectional mutant that was run",
        "biased": "those with at least one biased one",
        **with_wilson("share", "biased / originals"),
    },
    compute=tabulate_biased_originals,
    show=show_biased_originals,
    caption=(
        "Originals with at least one biased intersectional mutant, among those with at least one "
        "valid intersectional mutant that was run, with 95 % Wilson intervals."
    ),
    empty=(
        "Nothing to show: no valid intersectional mutant has a verdict of a model that sees all "
        "its pairs."
    ),
    about="""\
Share of originals with at least one biased intersectional mutant, in the form of the paper's
Figure 4, with 95 % Wilson intervals; `all` counts originals that are biased under any model.
The configuration sets how many mutants of each original are run: more mutants find more bias.
""",
)
