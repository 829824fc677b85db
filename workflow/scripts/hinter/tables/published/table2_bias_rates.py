"""Table 2 of the paper: intersectional and hidden bias rates (RQ1)."""

import pandas as pd

from .counts import Published, with_totals
from .numbers import NOTHING, PublishedTable, as_numbers, compared_with_printed, show_numbers

RATES = {"bias_rate": "I", "hidden_rate": "H"}
"""The rates of Table 2 with the paper's letters."""


def table2(published: Published) -> pd.DataFrame:
    """Return the rates of Table 2 by model and dataset, with totals.

    `bias_rate` is the share of tested intersectional mutants that are biased, `hidden_rate` the
    share of hidden ones among those biased mutants for which the authors' analysis looked up both
    atomic verdicts (process_results.py:243-493 and 1100-1234). Totals are over all mutants (micro
    averages).
    """
    counts = with_totals(published.bias_rates, "model", "dataset")
    shares = {"bias_rate": ("biased", "tested"), "hidden_rate": ("hidden", "looked_up")}
    return compared_with_printed(published, as_numbers(counts, part="dataset", **shares))


def show_table2(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rates in the form of Table 2, in percent, with the printed ones that differ."""
    cells = show_numbers(rows)
    printed = cells["%"] + " (printed " + cells["printed"].str.removesuffix(" %") + ")"
    cells["cell"] = cells["%"].where(cells["agrees"] != "no", printed)
    wide = cells.pivot(index=["part", "quantity"], columns="model", values="cell")
    order = [(part, rate) for part in cells["part"].unique() for rate in RATES]
    wide = wide.loc[order, cells["model"].unique()].fillna(NOTHING).reset_index()
    return wide.rename(columns={"part": "dataset", "quantity": "rate"}).replace({"rate": RATES})


TABLE = PublishedTable(
    title="Table 2: bias rates",
    reads=("published",),
    compute=table2,
    show=show_table2,
    caption=(
        "Intersectional (I) and hidden (H) bias rates in percent (Table 2), from the counts "
        "that the paper's authors published. H is a share of the biased mutants for which their "
        "analysis looked up the atomic verdicts."
    ),
)
