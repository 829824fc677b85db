"""Examined cases: whether they hold when asked again, and how few edits suffice (RQ1)."""

import pandas as pd

from ..columns import RUN, with_share, with_wilson
from ..shown import NONE, in_percent, shown
from ..table import Results, Table, query_results

COUNTS = """
    WITH found AS (
        SELECT model, dataset, mutant_id, "order", hidden IS TRUE AS hidden FROM counted_verdicts
        WHERE biased
    ),
    examined AS (
        SELECT *, len(list_distinct(list_transform(edits, lambda edit: edit.attribute))) AS pairs
        FROM found JOIN (SELECT * EXCLUDE hidden FROM cases) USING (model, dataset, mutant_id)
    ),
    kinds AS (
        SELECT *, 'hidden' AS kind, times_hidden AS times FROM examined WHERE hidden
        UNION ALL SELECT *, 'biased', times_biased FROM examined WHERE sampled
    ),
    numbers AS (
        SELECT model, dataset, "order", 'hidden' AS kind, count(*) AS cases FROM found
        WHERE hidden GROUP BY ALL
        UNION ALL
        SELECT model, dataset, "order", 'biased', count(*) FROM found GROUP BY ALL
    )
    SELECT model, dataset, "order", kind, any_value(numbers.cases) AS cases, count(*) AS examined,
        bool_and(repeats IS NULL) AS deterministic, max(repeats) AS repeats,
        count(*) FILTER (repeats > 1) AS asked_again,
        count(*) FILTER (repeats > 1 AND times = repeats) AS held,
        count(*) FILTER (minimal) AS narrowed,
        round(avg(replaced) FILTER (minimal), 6) AS mean_replaced,
        round(avg(sufficient) FILTER (minimal), 6) AS mean_sufficient,
        count(*) FILTER (minimal AND sufficient = 1) AS one_place,
        count(*) FILTER (minimal AND pairs = "order") AS all_pairs
    FROM kinds JOIN numbers USING (model, dataset, "order", kind)
    GROUP BY model, dataset, "order", kind ORDER BY model, dataset, "order", kind DESC
"""

COLUMNS = {
    **RUN,
    "order": "number of attributes that the mutants change",
    "kind": "hidden: hidden cases; biased: a sample of all biased mutants, hidden or not",
    "cases": "number of cases",
    "examined": "cases that were examined",
    "deterministic": "whether the model always gives the same answer",
    "repeats": "how often each was asked about; empty for a deterministic model",
    "asked_again": "examined cases that were asked about more than once",
    "held": "those that are hidden, or biased, each time",
    **with_wilson("held_rate", "held / asked_again"),
    "narrowed": "examined cases that were narrowed to a minimal set of edits",
    "mean_replaced": "mean number of their edits",
    "mean_sufficient": "mean number of edits in the minimal sets",
    "one_place": "minimal sets of one edit",
    "all_pairs": "minimal sets with an edit of every pair",
}


def tabulate_examined(cases: Results, verdicts: Results) -> pd.DataFrame:
    """Return a row per model, dataset, order and kind of case."""
    counts = query_results(COUNTS, cases=cases, verdicts=verdicts).astype({"repeats": "Int64"})
    return with_share(counts, "held_rate", part="held", whole="asked_again")[list(COLUMNS)]


def _of(part: "pd.Series[int]", whole: "pd.Series[int]") -> list[str]:
    pairs = zip(part, whole, strict=True)
    return [f"{some} of {many}" if many else NONE for some, many in pairs]


TABLE = Table(
    title="Cases examined",
    reads=("cases", "verdicts"),
    only_if=("cases",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_examined,
    show=shown(
        *("model", "dataset", "order", "kind", "cases", "examined"),
        lambda rows: {
            "asked": rows["repeats"].astype("str").where(~rows["deterministic"], "deterministic"),
            "held": _of(rows["held"], rows["asked_again"]),
        },
        in_percent("held_rate", "held %", ends="Wilson"),
        lambda rows: {
            "places": rows["mean_replaced"].round(1),
            "edits that suffice": rows["mean_sufficient"].round(1),
            "one suffices": _of(rows["one_place"], rows["narrowed"]),
            "all attributes needed": _of(rows["all_pairs"], rows["narrowed"]),
        },
    ),
    caption=(
        "Cases examined: hidden ones, and a sample of all biased mutants. A case holds if it is "
        "hidden, or biased, each time that the original, the mutant and, for hidden cases, all "
        "sub-mutants are asked about again; deterministic models always give the same answer. Each "
        "case is narrowed to a minimal set of its edits: it still changes the outcome, and no edit "
        "can be left out."
    ),
    empty="Nothing to show: no mutant is biased.",
    about="""\
As many cases are examined as ``case_answers`` allows, and narrowed by delta debugging. A hidden
case that holds is *confirmed*. Often one of many edits suffices, so a case that changes two
attributes may need only one of them.
""",
)
