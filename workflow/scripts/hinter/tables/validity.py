"""Figure 6 of the paper: how many mutants are valid, and how many are discarded (RQ3)."""

import pandas as pd

from .groups import KIND, name_totals
from .mutants import BY_REASON
from .sources import Results, open_results
from .writing import percent

QUERY = f"""
    SELECT dataset, kind, {BY_REASON} FROM (SELECT *, {KIND} AS kind FROM counts)
    GROUP BY CUBE (dataset, kind) HAVING count(*) > 0
    ORDER BY dataset NULLS FIRST, kind DESC NULLS FIRST
"""
DISCARDING = ["sentence_count", "pos", "dep"]
"""The reasons for which a mutant is discarded."""

COLUMNS = ["dataset", "kind", "mutants", "valid", "discarded", *DISCARDING]
COLUMNS += ["unchecked", "valid_share"]


def tabulate_validity(counts: Results) -> pd.DataFrame:
    """Return a row per dataset and kind of mutant, of all mutants of all orders.

    Columns: mutants, valid, discarded and of these how many for each reason (sentence_count, pos,
    dep), unchecked, and valid_share of those checked. All are exact, so nothing has an interval.
    """
    rows = name_totals(open_results(counts=counts).execute(QUERY).df(), "dataset", "kind")
    discarded = rows[DISCARDING].sum(axis=1)
    shares = (rows["valid"] / (rows["valid"] + discarded)).round(6)
    return rows.assign(discarded=discarded, valid_share=shares)[COLUMNS]


def show_validity(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the counts as they are read."""
    shares = rows["valid_share"].map(percent)
    return rows.drop(columns="valid_share").assign(**{"valid %": shares})
