"""Figure 6 of the paper: how many mutants are valid, and how many are discarded (RQ3)."""

import pandas as pd

from ..columns import with_bootstrap
from ..groups import BY_REASON, LEVEL, name_totals, row_per_group
from ..shown import in_percent, shown
from ..table import Results, Table, query_results
from .sound import weighted_share

QUERY = f"""
    SELECT dataset, level, {BY_REASON}
    FROM (SELECT *, {LEVEL} AS level, [dataset, original_id] AS cluster FROM counts)
    GROUP BY CUBE (dataset, level), cluster
    ORDER BY dataset NULLS FIRST, level DESC NULLS FIRST, cluster
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
    "valid": "valid mutants",
    "discarded": "discarded mutants",
    **DISCARDING,
    "unchecked": "mutants with a sentence that is not checked",
    **with_bootstrap("valid_share", "valid / (valid + discarded)"),
}


def tabulate_validity(counts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per dataset and level of mutants, of all mutants of all orders.

    The counts are exact. The interval of a share is for other texts of the same kind.
    """
    sums = name_totals(query_results(QUERY, counts=counts), "dataset", "level")
    sums = sums.assign(discarded=sums[list(DISCARDING)].sum(axis=1))
    return row_per_group(sums, ["dataset", "level"], _row, columns=COLUMNS, seed=seed)


def _row(sums: pd.DataFrame, *, seed: int) -> dict[str, float]:
    checked = sums["valid"] + sums["discarded"]
    counts = ["mutants", "valid", "discarded", *DISCARDING, "unchecked"]
    return {
        **sums[counts].sum(),
        **weighted_share("valid_share", sums["valid"], checked, seed=seed),
    }


TABLE = Table(
    title="Figure 6 as a table: valid and discarded mutants",
    reads=("counts",),
    settings=("seed",),
    columns=COLUMNS,
    compute=tabulate_validity,
    show=shown(
        *("dataset", "level", "mutants", "valid", "discarded", *DISCARDING, "unchecked"),
        in_percent("valid_share", "valid %", ends="by original"),
    ),
    caption=(
        "Valid and discarded mutants of all tested texts, and why the latter are discarded: a "
        "different number of sentences, different parts of speech, different dependency labels. "
        "The counts are exact. The share of valid mutants is that of the checked ones, with a "
        "95 % cluster bootstrap by original."
    ),
    empty="Nothing to show: no mutant was made.",
    about="""\
All mutants are counted, whether or not they were run. A discarded mutant differs in structure from
its original, which does not mean that it is wrong.
""",
)
