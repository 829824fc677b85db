"""Table 2 in the paper's layout: a column per model, with totals (RQ1)."""

import pandas as pd

from ..columns import BIAS_RATES, bias_columns, only_by_original, with_both
from ..groups import row_per_group
from ..shown import NONE, percent, percent_intervals
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
    rows = row_per_group(counts, KEYS, bias_columns, columns=COLUMNS, seed=seed)
    return only_by_original(rows, *BIAS_RATES)


def show_totals(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rates in the form of Table 2: percentages, with 95 % intervals by original."""
    cells = [
        pd.DataFrame(
            {
                "dataset": rows["dataset"].replace({ALL: "All"}),
                "rate": letter,
                "model": rows["model"].replace({ALL: "Total"}),
                "cell": _cells(rows, rate),
            }
        )
        for rate, letter in LETTERS.items()
    ]
    long = pd.concat(cells)
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


TABLE = Table(
    title="Table 2 in the paper's layout",
    reads=("verdicts",),
    settings=("seed",),
    only_if=("order 2",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_totals,
    show=show_totals,
    caption=(
        "Intersectional (I) and hidden (H) bias rates in percent, in the layout of the paper's "
        "Table 2, with 95 % cluster bootstraps by original, for mutants of two attributes. H is a "
        "share of the biased mutants whose sub-mutants are all valid and were all run. All and "
        "Total cover all mutants that were run; a mutant counts once per model."
    ),
    empty=(
        "Nothing to show: no valid mutant of two attributes has a verdict of a model that sees all "
        "its pairs."
    ),
    about="""\
A dataset or model with more mutants has more weight in totals. The CSV file also has hidden bias as
a share of all biased mutants.
""",
)
