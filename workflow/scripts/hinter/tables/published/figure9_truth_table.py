"""Figure 9 of the paper: mutants and their atomic sub-mutants (RQ4)."""

import pandas as pd

from ..rq4.figure9_truth_table import COLUMNS as OWN
from ..shown import each_as, shown
from ..table import Table
from .counts import Published, with_totals

CELL = ["intersectional", "first", "second"]
"""The key of a cell of the truth table: which of the mutant and its two sub-mutants are biased.

`first` and `second` are the attributes in the order of the combination's name.
"""

COLUMNS = {name: OWN[name] for name in ("combination", "model", *CELL, "mutants")}
"""The columns of the study's own table."""


def truth_table(published: Published) -> pd.DataFrame:
    """Return the mutants of each cell by combination and model, with totals over both."""
    return with_totals(published.truth_table, "combination", "model", by=CELL)


TABLE = Table(
    title="Figure 9 as a table: mutants and their atomic ones",
    reads=("published",),
    columns=COLUMNS,
    compute=truth_table,
    show=shown(
        *("combination", "model"),
        each_as({True: "biased", False: "benign"}, **dict(zip(CELL, CELL, strict=True))),
        each_as("{:,}".format, mutants="mutants"),
    ),
    caption=(
        "Mutants by whether they and their two sub-mutants are biased, from the published counts."
    ),
)
