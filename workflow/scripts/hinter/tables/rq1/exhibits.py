"""Table 2 and Figure 4 of the paper, in its layout and as a table (RQ1)."""

import pandas as pd

from ...statistics import mcnemar_exact
from ..columns import BIAS_RATES, with_both, with_share, with_wilson
from ..groups import in_columns, rates_by
from ..pairing import open_paired
from ..shown import (
    NONE,
    each_as,
    four_decimals,
    in_percent,
    percent,
    percent_intervals,
    shown,
    where_known,
    whole,
)
from ..table import Results, Table, query_results

ALL = "all"
# As in the paper, only mutants of two attributes. A mutant counts once per model.
QUERY = """
    SELECT dataset, model, concat(dataset, '/', original_id) AS cluster, count(*) AS n,
        count(*) FILTER (biased) AS biased,
        count(*) FILTER (biased AND complete) AS complete,
        count(*) FILTER (hidden) AS hidden
    FROM counted_verdicts WHERE "order" = 2
    GROUP BY CUBE (dataset, model), cluster
    ORDER BY dataset NULLS LAST, model NULLS LAST, cluster
"""
KEYS = ["dataset", "model"]
LETTERS = {"bias_rate": "I", "hidden_rate_complete": "H"}
"""The rates of the paper's Table 2 with its letters."""
COLUMNS = {
    "dataset": "name of the dataset, or all",
    "model": "name of the model, or all: a mutant counts once per model",
    "n": "mutants of two attributes with a verdict",
    "originals": "originals of these mutants",
    "biased": "biased mutants of n",
    **with_both("bias_rate", "biased / n (I)"),
    "hidden": "biased mutants whose two sub-mutants are valid, were run and are benign",
    **with_both("hidden_rate", "hidden / biased"),
    "complete": "biased mutants whose two sub-mutants are valid and were run",
    **with_both("hidden_rate_complete", "hidden / complete (H)"),
}


def tabulate_totals(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset and model, with totals over each and over both, the totals last.

    Totals are over all mutants that were run (micro averages), as in the paper. In intervals by
    original, a cluster is an original with the answers of all models to its mutants.
    """
    counts = query_results(QUERY, verdicts=verdicts).fillna(dict.fromkeys(KEYS, ALL))
    return in_columns(rates_by(counts, KEYS, BIAS_RATES, seed=seed), COLUMNS)


def show_totals(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rates in the form of Table 2: percentages, with 95 % intervals by original."""
    named = rows[KEYS].replace({"dataset": {ALL: "All"}, "model": {ALL: "Total"}})
    long = pd.concat(
        named.assign(rate=letter, cell=_cells(rows, rate)) for rate, letter in LETTERS.items()
    )
    wide = long.pivot(index=["dataset", "rate"], columns="model", values="cell").fillna(NONE)
    lines = [(dataset, rate) for dataset in long["dataset"].unique() for rate in LETTERS.values()]
    # The total names all models, and comes last.
    columns = long["model"].unique()
    return wide.reindex(index=lines, columns=columns).rename_axis(columns=None).reset_index()


def _cells(rows: pd.DataFrame, rate: str) -> list[str]:
    intervals = percent_intervals(rows, f"{rate}_cluster")
    return [
        f"{percent(value)} {interval}".removesuffix(f" {NONE}")
        for value, interval in zip(rows[rate], intervals, strict=True)
    ]


TABLE2_TOTALS = Table(
    title="Table 2 in the paper's layout",
    only_if=("order 2",),
    columns=COLUMNS,
    compute=tabulate_totals,
    show=show_totals,
    empty=(
        "Nothing to show: no valid mutant of two attributes has a verdict of a model that sees all "
        "its pairs."
    ),
    text="""\
Intersectional (I) and hidden (H) bias rates in percent, in the layout of the paper's Table 2, with
95 % cluster bootstraps by original, for mutants of two attributes. H is a share of the biased
mutants whose sub-mutants are all valid and were all run. All and Total cover all mutants that were
run; a mutant counts once per model.

A dataset or model with more mutants has more weight in totals. The CSV file also has hidden bias as
a share of all biased mutants.
""",
)


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


FIGURE4_BIASED_ORIGINALS = Table(
    title="Figure 4 as a table: biased originals",
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
    empty=(
        "Nothing to show: no valid intersectional mutant has a verdict of a model that sees all "
        "its pairs."
    ),
    text="""\
Originals with at least one biased intersectional mutant, among those with at least one valid
intersectional mutant that was run, with 95 % Wilson intervals. The next columns have the originals
with at least one biased control, in which a neutral edit stands in for one of the changes, and
McNemar's exact test (p) on the originals with both.

`all` counts originals that are biased under any model. The configuration sets how many mutants of
each original are run; more mutants find more bias.
""",
)
