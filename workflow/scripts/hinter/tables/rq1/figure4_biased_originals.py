"""Figure 4 of the paper: originals with at least one intersectional bias (RQ1)."""

import pandas as pd

from ...statistics import mcnemar_exact
from ..columns import with_share, with_wilson
from ..pairing import open_paired
from ..shown import each_as, four_decimals, in_percent, shown, where_known, whole
from ..table import Results, Table, query_results

COUNTS = """
    WITH originals AS (
        SELECT coalesce(model, 'all') AS model, bool_or(biased) AS biased
        FROM listed_verdicts WHERE "order" >= 2
        GROUP BY CUBE (model), dataset, original_id
    )
    SELECT model, count(*) AS originals, count(*) FILTER (biased) AS biased
    FROM originals GROUP BY model ORDER BY model = 'all', model
"""

# Originals with a mutant that has a control, and whether any of these mutants, or controls, are
# biased.
PAIRED = """
    WITH originals AS (
        SELECT coalesce(model, 'all') AS model, bool_or(biased) AS biased,
            bool_or(control_biased) AS control_biased
        FROM paired WHERE "order" >= 2 AND sampled IS NULL
        GROUP BY CUBE (model), dataset, original_id
    )
    SELECT model, count(*) AS matched, count(*) FILTER (biased) AS matched_biased,
        count(*) FILTER (control_biased) AS control_biased,
        count(*) FILTER (biased AND NOT control_biased) AS only_mutants,
        count(*) FILTER (control_biased AND NOT biased) AS only_controls
    FROM originals GROUP BY model
"""
NUMBERS = ["matched", "matched_biased", "control_biased"]
CONTROLS = {
    "matched": "originals with such a mutant that has a control with a verdict",
    "matched_biased": "those for which at least one of these mutants is biased",
    "control_biased": "those for which at least one of their controls is biased",
    **with_wilson("control_share", "control_biased / matched"),
    "p_value": "McNemar's exact test of matched_biased against control_biased",
}


def tabulate_biased_originals(verdicts: Results, controls: Results = ()) -> pd.DataFrame:
    """Return a row per model, and one for `all` (biased under any of them).

    Sampled orders do not count: a few sampled mutants say little about their original.
    """
    counts = query_results(COUNTS, verdicts=verdicts)
    shares = with_share(counts, "share", part="biased", whole="originals")
    return shares.merge(_paired(verdicts, controls), on="model", how="left")


def _paired(verdicts: Results, controls: Results) -> pd.DataFrame:
    """Return the columns of controls by model; none if a study has no controls."""
    if not controls:
        return pd.DataFrame(columns=["model", *CONTROLS])
    counts: pd.DataFrame = open_paired(verdicts, controls).execute(PAIRED).df()
    discordant = zip(counts["only_mutants"].tolist(), counts["only_controls"].tolist(), strict=True)
    p_values = [round(mcnemar_exact(*numbers), 6) for numbers in discordant]
    shares = with_share(counts, "control_share", part="control_biased", whole="matched")
    return shares.assign(p_value=p_values)[["model", *CONTROLS]].astype(
        dict.fromkeys(NUMBERS, "Int64")
    )


TABLE = Table(
    title="Figure 4 as a table: biased originals",
    reads=("verdicts", "controls"),
    warned=True,
    in_report=False,
    columns={
        "model": "name of the model",
        "originals": "originals with a valid intersectional mutant that was run",
        "biased": "those with at least one biased mutant of this kind",
        **with_wilson("share", "biased / originals"),
        **CONTROLS,
    },
    compute=tabulate_biased_originals,
    show=shown(
        *("model", "originals", "biased"),
        in_percent("share", "share %", ends="Wilson"),
        where_known(
            "matched",
            each_as(whole, **{name: name.replace("_", " ") for name in NUMBERS}),
            in_percent("control_share", "controls %", ends="{}: Wilson"),
            each_as(four_decimals, p_value="p"),
        ),
    ),
    caption=(
        "Originals with at least one biased intersectional mutant, among those with at least one "
        "valid intersectional mutant that was run, with 95 % Wilson intervals. The next columns "
        "have the originals with at least one biased control, in which a neutral edit stands in "
        "for one of the changes, and McNemar's exact test (p) on the originals with both."
    ),
    empty=(
        "Nothing to show: no valid intersectional mutant has a verdict of a model that sees all "
        "its pairs."
    ),
    about="""\
`all` counts originals that are biased under any model. The configuration sets how many mutants of
each original are run; more mutants find more bias.
""",
)
