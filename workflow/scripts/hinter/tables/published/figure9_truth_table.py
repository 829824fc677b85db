"""Figure 9 of the paper: mutants beside their atomic sub-mutants (RQ4)."""

import pandas as pd

from ..table import Table
from .counts import Published, with_totals

CELL = ["intersectional", "first", "second"]
"""The key of a cell of the truth table: which of the mutant and its two sub-mutants are biased.

`first` and `second` are the attributes in the order of the combination's name.
"""

COLUMNS = {
    "combination": "two attributes, joined by +, or all",
    "model": "name of the model, or all",
    "intersectional": "whether the mutant is biased",
    "first": "whether the atomic mutant of its first attribute's pair is biased",
    "second": "whether that of its second attribute's pair is",
    "mutants": "mutants in this cell",
}


def truth_table(published: Published) -> pd.DataFrame:
    """Return the mutants of each cell by combination and model, with totals over both."""
    return with_totals(published.truth_table, "combination", "model", by=CELL)


def show_truth_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the cells as they are read."""
    words = {True: "biased", False: "benign"}
    shown = rows.assign(**{column: rows[column].map(words) for column in CELL})
    return shown.assign(mutants=shown["mutants"].map("{:,}".format))


TABLE = Table(
    question="Published",
    title="Figure 9 as a table: mutants and their atomic ones",
    reads=("published",),
    columns=COLUMNS,
    compute=truth_table,
    show=show_truth_table,
    caption=(
        "Mutants by whether they and their two sub-mutants are biased, from the published counts."
    ),
)
