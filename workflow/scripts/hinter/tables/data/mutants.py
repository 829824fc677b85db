"""How many mutants there are, by dataset, order, attributes and the invariant's check."""

import pandas as pd

from ..groups import BY_REASON
from ..shown import in_percent, shown
from ..table import Results, Table, query_results

COUNTS = f"""
    WITH counted AS (SELECT dataset, "order", attributes, {BY_REASON} FROM counts GROUP BY ALL),
    suites AS (
        SELECT dataset, attributes, count(*) AS tested
        FROM suite WHERE valid AND sampled IS NOT FALSE AND NOT control GROUP BY ALL
    ),
    sampled AS (SELECT DISTINCT dataset, "order", true AS sampled FROM suite WHERE sampled)
    SELECT counted.*, coalesce(tested, 0) AS tested,
        CASE WHEN coalesce(tested, 0) = valid THEN 'all'
            WHEN sampled THEN 'sample' ELSE 'suite' END AS basis
    FROM counted
    LEFT JOIN suites USING (dataset, attributes) LEFT JOIN sampled USING (dataset, "order")
    ORDER BY dataset, "order", attributes
"""


def tabulate_mutants(counts: Results, suites: Results) -> pd.DataFrame:
    """Return a row per dataset and set of attributes."""
    rows = query_results(COUNTS, counts=counts, suite=suites)
    return rows.assign(valid_share=(rows["valid"] / (rows["mutants"] - rows["unchecked"])).round(6))


TABLE = Table(
    question="Mutants",
    title="Mutants by order, attributes and reason",
    reads=("counts", "suites"),
    columns={
        "dataset": "name of the dataset",
        "order": "number of attributes that the mutants change",
        "attributes": "the attributes, joined by +",
        "mutants": "exact number of mutants",
        "valid": "valid mutants",
        "sentence_count": "discarded for a different number of sentences",
        "pos": "discarded for different parts of speech",
        "dep": "discarded for different dependency labels",
        "unchecked": "mutants with a sentence that is not checked",
        "tested": "valid mutants that the models are run on",
        "basis": "all of them, a uniform sample, or the suite of sampled originals and pairs",
        "valid_share": "valid / (mutants - unchecked)",
    },
    compute=tabulate_mutants,
    show=shown(
        *("dataset", "order", "attributes", "mutants", "valid", "sentence_count", "pos", "dep"),
        *("unchecked", "tested", "basis"),
        in_percent("valid_share", "valid %"),
    ),
    caption=(
        "Mutants of all tested texts: how many there are, how many are valid, and why the others "
        "are discarded. These counts are exact. The column tested has the valid ones that the "
        "models are run on: all of them, a uniform sample, or the suite of sampled originals and "
        "pairs (basis)."
    ),
    empty="Nothing to show: no mutant was made.",
    about="*pos*: different part-of-speech tags; *dep*: different dependency labels.",
)
