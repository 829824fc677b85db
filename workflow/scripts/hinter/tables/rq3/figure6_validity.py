"""Figure 6 of the paper: how many mutants are valid, and how many are discarded (RQ3)."""

import pandas as pd

from ..groups import BY_REASON, LEVEL, name_totals
from ..sources import Results, open_results
from ..table import Table
from ..writing import percent

QUERY = f"""
    SELECT dataset, level, {BY_REASON} FROM (SELECT *, {LEVEL} AS level FROM counts)
    GROUP BY CUBE (dataset, level) HAVING count(*) > 0
    ORDER BY dataset NULLS FIRST, level DESC NULLS FIRST
"""
DISCARDING = {
    "sentence_count": "discarded for a different number of sentences",
    "pos": "discarded for different parts of speech",
    "dep": "discarded for different dependency labels",
}
COLUMNS = {
    "dataset": "name of the dataset, or all",
    "level": "level of the mutants: all, intersectional or atomic",
    "mutants": "exact number of mutants",
    "valid": "valid ones",
    "discarded": "discarded ones",
    **DISCARDING,
    "unchecked": "those with a sentence that is not checked",
    "valid_share": "valid / (valid + discarded)",
}


def tabulate_validity(counts: Results) -> pd.DataFrame:
    """Return a row per dataset and level of mutants, of all mutants of all orders.

    All numbers are exact, so none has an interval.
    """
    rows = name_totals(open_results(counts=counts).execute(QUERY).df(), "dataset", "level")
    discarded = rows[list(DISCARDING)].sum(axis=1)
    shares = (rows["valid"] / (rows["valid"] + discarded)).round(6)
    return rows.assign(discarded=discarded, valid_share=shares)[list(COLUMNS)]


def show_validity(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the counts as they are read."""
    shares = rows["valid_share"].map(percent)
    return rows.drop(columns="valid_share").assign(**{"valid %": shares})


TABLE = Table(
    question="RQ3",
    title="Figure 6 as a table: valid and discarded mutants",
    reads=("counts",),
    columns=COLUMNS,
    compute=tabulate_validity,
    show=show_validity,
    caption=(
        "Valid and discarded mutants of all tested texts, and why the latter are discarded: a "
        "different number of sentences, different parts of speech, different dependency labels. "
        "The counts are exact. The share of valid mutants is of those that were checked."
    ),
    empty="Nothing to show: no mutant was made.",
    about="""\
Valid and discarded mutants, in the form of the paper's Figure 6, with the reasons for discarding: a
different number of sentences, different parts of speech, different dependency labels. These are
exact counts of all mutants of the tested texts, not only of those that were run. A discarded mutant
differs in structure from its original; that does not mean that it is wrong.
""",
)
