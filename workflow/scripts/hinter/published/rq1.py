"""Table 2 and Figure 4 of the paper: bias rates and biased originals (RQ1)."""

import pandas as pd

from .counts import Published, with_totals
from .numbers import NOTHING, as_numbers, beside_printed, show_numbers

RATES = {"bias_rate": "I", "hidden_rate": "H"}
"""The rates of Table 2 with the paper's letters."""


def table2(published: Published) -> pd.DataFrame:
    """Return the rates of Table 2 by model and dataset, with totals.

    `bias_rate` is biased of tested intersectional mutants, `hidden_rate` hidden of those biased
    ones for which the authors' analysis looked up both atomic verdicts (process_results.py:243-493
    and 1100-1234). Totals are over all mutants (micro averages).
    """
    counts = with_totals(published.bias_rates, "model", "dataset")
    bias = as_numbers(counts, "bias_rate", count="biased", of="tested", part="dataset")
    hidden = as_numbers(counts, "hidden_rate", count="hidden", of="looked_up", part="dataset")
    return beside_printed(pd.concat([bias, hidden], ignore_index=True), published.printed)


def show_table2(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rates in the form of Table 2, in percent; what is printed otherwise beside it."""
    cells = show_numbers(rows)
    printed = cells["%"] + " (printed " + cells["printed"].str.removesuffix(" %") + ")"
    cells["cell"] = cells["%"].where(cells["agrees"] != "no", printed)
    wide = cells.pivot(index=["part", "quantity"], columns="model", values="cell")
    order = [(part, rate) for part in cells["part"].unique() for rate in RATES]
    wide = wide.loc[order, cells["model"].unique()].fillna(NOTHING).reset_index()
    return wide.rename(columns={"part": "dataset", "quantity": "rate"}).replace({"rate": RATES})


def figure4(published: Published) -> pd.DataFrame:
    """Return the originals with at least one biased intersectional mutant, by model and in all.

    They are of those with at least one valid intersectional mutant (process_results.py:926-1024);
    in all, an original counts once, as biased if it is under any model.
    """
    counts = published.originals
    # The encoders were run on the same mutants, whose originals are given for the first of them.
    counts = counts.assign(originals=counts.groupby("dataset")["originals"].ffill())
    sums = counts.groupby("model", sort=False, as_index=False)[["originals", "biased"]].sum()
    sums = sums.assign(part="all")
    numbers = as_numbers(sums, "biased_originals", count="biased", of="originals", part="part")
    return beside_printed(numbers, published.printed)
