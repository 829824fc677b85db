"""How many occurrences of each term are changed, and which rules exclude the others."""

from typing import Any

import pandas as pd

from ..groups import row_per_group
from ..shown import percent
from ..table import Results, Table, query_results

COUNTED = "count"
"""The value of `rule` for occurrences that no rule excludes."""
NOTHING = "nothing found"
"""The value of `rule` for texts without an occurrence."""
QUERY = f"""
    WITH ruled AS (
        SELECT dataset, original_id, operator, attribute, source AS term,
            coalesce(found.rule, '{COUNTED}') AS rule
        FROM occurrences AS found
    ),
    by_rule AS (
        SELECT dataset, operator, rule, count(DISTINCT original_id) AS texts FROM ruled GROUP BY ALL
    )
    SELECT dataset, operator, attribute, term, rule, count(*) AS occurrences, texts
    FROM ruled JOIN by_rule USING (dataset, operator, rule) GROUP BY ALL
    UNION ALL
    SELECT dataset, '', '', '', '{NOTHING}', 0, count(*)
    FROM corpora ANTI JOIN occurrences USING (dataset, original_id)
    WHERE tested GROUP BY dataset
    ORDER BY dataset, operator, attribute, term, rule <> '{COUNTED}', rule
"""
KEYS = ["dataset", "operator", "rule"]
SHOWN_TERMS = 5


def tabulate_occurrences(corpora: Results, occurrences: Results) -> pd.DataFrame:
    """Return a row per dataset, operator, attribute, term and rule, and one for texts without."""
    return query_results(QUERY, corpora=corpora, occurrences=occurrences)


def show_occurrences(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row per dataset, operator and rule, the most frequent first, with its terms."""
    totals = rows.groupby(KEYS[:-1])["occurrences"].transform("sum").clip(lower=1)
    columns = [*KEYS, "occurrences", "%", "texts", "terms", "most often"]
    shown = row_per_group(rows.assign(total=totals), KEYS, _rule, columns=columns)
    order = {"dataset": True, "operator": True, "occurrences": False, "rule": True}
    return shown.sort_values([*order], ascending=[*order.values()], ignore_index=True)


def _rule(rows: pd.DataFrame) -> dict[str, Any]:
    # Equally frequent terms are in alphabetical order.
    by_term = rows.groupby("term")["occurrences"].sum()
    often = by_term.sort_values(ascending=False, kind="stable").index[:SHOWN_TERMS]
    return {
        "occurrences": rows["occurrences"].sum(),
        "%": percent(rows["occurrences"].sum() / rows["total"].iloc[0]),
        "texts": rows["texts"].iloc[0],
        "terms": len({*rows["term"]} - {""}),
        "most often": ", ".join(often),
    }


TABLE = Table(
    question="Mutants",
    title="Occurrences of terms by rule",
    reads=("corpora", "occurrences"),
    only_if=("rules of occurrences",),
    columns={
        "dataset": "name of the dataset",
        "operator": "operator that looks for them; empty for texts without any",
        "attribute": "sensitive attribute of the term",
        "term": "source term of the dictionary, or noun of the mention",
        "rule": "the rule that excludes the occurrences; `count` for those that are changed, "
        "`nothing found` for texts in which no term occurs",
        "occurrences": "number of these occurrences in all tested texts",
        "texts": "number of tested texts to which the rule applies, for any term",
    },
    compute=tabulate_occurrences,
    show=show_occurrences,
    caption=(
        "Occurrences of source terms in all tested texts: how many are changed, and how many each "
        "rule excludes, because the term means something else there or because it is unclear what "
        "must change with it. The first rule that applies is named. The CSV file has the numbers "
        "of every term."
    ),
    empty="Nothing to show: no term occurs.",
    about="""\
Rules exclude parts of names, titles and fixed expressions, languages, and whatever is not a person.
Terms without a similar counterpart (*soldier* has none among women's occupations) are
`without_partner`.
""",
)
