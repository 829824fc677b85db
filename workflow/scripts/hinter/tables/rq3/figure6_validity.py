"""Figure 6 of the paper: how many mutants are valid, and how many are discarded (RQ3)."""

import pandas as pd

from ...statistics import Interval, cluster_bootstrap
from ..columns import with_bootstrap
from ..groups import BY_REASON, LEVEL, name_totals
from ..shown import in_percent, shown
from ..table import Results, Table, open_results

ALL = "all"
QUERY = f"""
    SELECT dataset, level, {BY_REASON} FROM (SELECT *, {LEVEL} AS level FROM counts)
    GROUP BY CUBE (dataset, level) HAVING count(*) > 0
    ORDER BY dataset NULLS FIRST, level DESC NULLS FIRST
"""
BY_ORIGINAL = f"""
    SELECT dataset, coalesce(level, '{ALL}') AS level, original_id,
        coalesce(sum(mutants) FILTER (reason IS NULL), 0)::BIGINT AS valid,
        sum(mutants)::BIGINT AS checked
    FROM (SELECT *, {LEVEL} AS level FROM counts)
    WHERE reason IS DISTINCT FROM 'unchecked'
    GROUP BY GROUPING SETS ((dataset, original_id), (dataset, original_id, level))
    ORDER BY ALL
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
    connection = open_results(counts=counts)
    rows = name_totals(connection.execute(QUERY).df(), "dataset", "level")
    discarded = rows[list(DISCARDING)].sum(axis=1)
    shares = (rows["valid"] / (rows["valid"] + discarded)).round(6)
    rows = rows.assign(discarded=discarded, valid_share=shares)
    by_original = connection.execute(BY_ORIGINAL).df()
    keys = zip(rows["dataset"], rows["level"], strict=True)
    ends = [_interval(by_original, dataset, level, seed=seed) for dataset, level in keys]
    names = ["valid_share_low", "valid_share_high"]
    return rows.join(pd.DataFrame(ends, columns=names, index=rows.index).round(6))[list(COLUMNS)]


def _interval(by_original: pd.DataFrame, dataset: str, level: str, *, seed: int) -> Interval:
    chosen = by_original[by_original["level"].eq(level)]
    if dataset != ALL:
        chosen = chosen[chosen["dataset"].eq(dataset)]
    return cluster_bootstrap(chosen["valid"].tolist(), chosen["checked"].tolist(), seed=seed)


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
