"""Bias rates of mutants that concern one person, several, or an unknown number (RQ1)."""

import pandas as pd

from ..columns import BIAS_RATES, RUN, with_both, with_wilson
from ..groups import in_columns, rates_by
from ..shown import in_percent, shown, titled
from ..table import Results, Table, query_results

COUNTS = """
    SELECT model, dataset, "order", operator, one_person, original_id, count(*) AS n,
        count(*) FILTER (biased) AS biased,
        count(*) FILTER (biased AND complete) AS complete,
        count(*) FILTER (hidden) AS hidden
    FROM counted_verdicts WHERE one_person IS NOT NULL
    GROUP BY ALL ORDER BY ALL
"""
KEYS = ["model", "dataset", "order", "operator", "one_person"]
COLUMNS = {
    **RUN,
    "order": "number of attributes that the mutants change",
    "operator": "operator that makes the mutants: literal, coherent or describe",
    "one_person": "whether all edits of a mutant concern one person: yes, no, unknown",
    "n": "mutants with a verdict",
    "share": "n / mutants with a verdict of the same model, dataset, order and operator",
    "originals": "originals of these mutants",
    "biased": "biased mutants of n",
    **with_both("bias_rate", "biased / n"),
    "complete": "biased mutants whose sub-mutants are all valid and were all run",
    "hidden": "biased mutants whose sub-mutants are all valid, were all run and are all benign",
    **with_wilson("hidden_rate_complete", "hidden / complete"),
}


def tabulate_one_person(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per model, dataset, order, operator, and whether one person is concerned.

    Orders are those of 2 or more.
    """
    counts = query_results(COUNTS, verdicts=verdicts)
    rates = in_columns(rates_by(counts, KEYS, BIAS_RATES, seed=seed), COLUMNS)
    shares = rates["n"] / rates.groupby(KEYS[:-1])["n"].transform("sum")
    return rates.assign(share=shares.astype(float).round(6))


TABLE = Table(
    title="One person or several",
    only_if=("order 2",),
    columns=COLUMNS,
    compute=tabulate_one_person,
    show=shown(
        *("model", "dataset", "order", "operator"),
        titled(one_person="one person", n="mutants"),
        in_percent("share", "% of all"),
        "originals",
        in_percent("bias_rate", "bias %", cluster="by original"),
        *("biased", "hidden"),
        in_percent("hidden_rate_complete", "hidden % of complete", ends="Wilson"),
    ),
    empty="Nothing to show: no valid intersectional mutant has a verdict.",
    text="""\
Bias rates of intersectional mutants by whether all their edits concern one person, according to the
parse of the original, with 95 % intervals: by original for bias, Wilson for the share of hidden
cases among complete ones.

*no*: at least two edits of a mutant concern different persons, or something that is not a person;
*unknown*: the parse and the pronouns of the original do not show it. Only *yes* is evidence on
intersections of attributes of one person.
""",
)
