"""How many occurrences of each term count, and which rules leave the others alone."""

import pandas as pd

from ..sources import Results, open_results
from ..table import Table
from ..writing import percent

COUNTED = "count"
"""Stands in place of a rule for occurrences that no rule leaves alone."""
QUERY = f"""
    SELECT dataset, attribute, term, coalesce(rule, '{COUNTED}') AS rule, occurrences
    FROM occurrences AS counts
    ORDER BY dataset, attribute, term, counts.rule IS NOT NULL, counts.rule
"""
SHOWN_TERMS = 5


def tabulate_occurrences(occurrences: Results) -> pd.DataFrame:
    """Return a row per dataset, attribute, term and rule."""
    rows: pd.DataFrame = open_results(occurrences=occurrences).execute(QUERY).df()
    return rows


def show_occurrences(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row per dataset and rule, the most frequent first, with its most frequent terms."""
    totals = rows.groupby("dataset")["occurrences"].sum().to_dict()
    shown = [
        {
            "dataset": dataset,
            "rule": rule,
            "occurrences": group["occurrences"].sum(),
            "%": percent(group["occurrences"].sum() / totals[dataset]),
            "terms": len(group),
            "most often": ", ".join(_most_often(group)),
        }
        for (dataset, rule), group in rows.groupby(["dataset", "rule"])
    ]
    columns = ["dataset", "rule", "occurrences", "%", "terms", "most often"]
    return pd.DataFrame(shown, columns=columns).sort_values(
        ["dataset", "occurrences", "rule"], ascending=[True, False, True], ignore_index=True
    )


def _most_often(rows: pd.DataFrame) -> list[str]:
    """Return the terms with the most occurrences, equally frequent ones by the alphabet."""
    ranked = rows.sort_values(["occurrences", "term"], ascending=[False, True])
    return [str(term) for term in ranked["term"].iloc[:SHOWN_TERMS]]


TABLE = Table(
    question="Mutants",
    title="Occurrences of terms by rule",
    reads=("occurrences",),
    only_if=("rules of occurrences",),
    columns={
        "dataset": "name of the dataset",
        "attribute": "sensitive attribute of the term",
        "term": "source term of the dictionary",
        "rule": "the rule that leaves the occurrences alone; `count` for those that are replaced",
        "occurrences": "number of these occurrences in all tested texts",
    },
    compute=tabulate_occurrences,
    show=show_occurrences,
    caption=(
        "Occurrences of source terms in all tested texts: how many count, and how many each rule "
        "leaves alone because the term stands for something else there, or because what must "
        "change with it is in doubt. The first rule that applies is named. The CSV file has the "
        "numbers of every term."
    ),
    empty="Nothing to show: no term occurs.",
    about="""\
Which occurrences of the dictionary's terms are replaced. Rules leave alone those that stand for
something else (part of a name, a title or a fixed expression, a language, no person) and those
where what must change with the term is in doubt. Terms whose pairs do not fit together (a soldier
has no counterpart among women's occupations that is alike) are `without_partner`. Their numbers are
given by dataset and rule, with the terms most often left alone; the CSV file has them by term.
""",
)
