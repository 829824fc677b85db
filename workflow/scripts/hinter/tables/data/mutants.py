"""The mutants of the suite: how many there are, their controls, and the terms that they change."""

from typing import Any

import pandas as pd

from ..columns import with_share, with_wilson
from ..groups import BY_REASON, in_columns, row_per_group
from ..shown import each_as, in_percent, percent, shown, titled, whole
from ..table import Results, Table, query_results

MUTANT_COUNTS = f"""
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
    rows = query_results(MUTANT_COUNTS, counts=counts, suite=suites)
    return rows.assign(valid_share=(rows["valid"] / (rows["mutants"] - rows["unchecked"])).round(6))


MUTANTS = Table(
    question="Mutants",
    title="Mutants by order, attributes and reason",
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
    empty="Nothing to show: no mutant was made.",
    text="""\
Mutants of all tested texts: how many there are, how many are valid, and why the others are
discarded. These counts are exact. The column tested has the valid ones that the models are run on:
all of them, a uniform sample, or the suite of sampled originals and pairs (basis).

*pos*: different part-of-speech tags; *dep*: different dependency labels.
""",
)


# An id holds a pair after each bar.
CONTROL_COUNTS = """
    SELECT dataset, length(mutant_id) - length(replace(mutant_id, '|', '')) AS "order",
        count(*) AS mutants, count(control_id) AS matched, count(neutral_id) AS neutral,
        count(*) FILTER (more_places = 0) AS same_places,
        count(*) FILTER (NOT other_class) AS same_class,
        count(DISTINCT split_part(control_id, '|', 1) || control_pair_id) AS edits,
        median(distance) AS distance
    FROM controls GROUP BY ALL ORDER BY ALL
"""
COLUMNS = {
    "dataset": "name of the dataset",
    "order": "number of attributes that the mutants change",
    "mutants": "valid mutants of the suite",
    "matched": "mutants with a control",
    **with_wilson("coverage", "matched / mutants"),
    "neutral": "mutants of several attributes that also have a control with a neutral pair in "
    "place of each",
    "same_places": "mutants whose control replaces a term with as many occurrences",
    "same_class": "mutants whose control replaces a term of the same word class",
    "edits": "distinct neutral edits of the controls; mutants of an original may share them",
    "distance": "median of the characters between the neutral term and the term it stands in for",
}


def tabulate_controls(controls: Results) -> pd.DataFrame:
    """Return a row per dataset and order."""
    counts = query_results(CONTROL_COUNTS, controls=controls)
    return with_share(counts, "coverage", part="matched", whole="mutants")[list(COLUMNS)]


CONTROLS = Table(
    question="Mutants",
    title="Controls",
    only_if=("controls",),
    columns=COLUMNS,
    compute=tabulate_controls,
    show=shown(
        *("dataset", "order", "mutants", "matched"),
        in_percent("coverage", "matched %", ends="Wilson"),
        titled(neutral="all neutral", same_places="as many occurrences"),
        titled(same_class="same word class", edits="distinct edits"),
        each_as(whole, distance="characters apart"),
    ),
    empty="Nothing to show: the suite has no valid mutant.",
    text="""\
How many valid mutants of the suite have a control, and how similar the two are: whether the neutral
term occurs as often as the sensitive term that it stands in for and shares a word class with it,
and how many characters are between them (median).

Of the neutral terms that keep the invariant, the one with the closest number of occurrences is
taken, then one of the same word class, then the nearest in the text. If neutral terms can stand in
for all sensitive ones, a second control is *all neutral*. Mutants without a control are left out of
comparisons with controls.
""",
)


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
    shown = in_columns(row_per_group(rows.assign(total=totals), KEYS, _rule), columns)
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


OCCURRENCES = Table(
    question="Mutants",
    title="Occurrences of terms by rule",
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
    empty="Nothing to show: no term occurs.",
    text="""\
Occurrences of source terms in all tested texts: how many are changed, and how many each rule
excludes, because the term means something else there or because it is unclear what must change with
it. The first rule that applies is named. The CSV file has the numbers of every term.

Rules exclude parts of names, titles and fixed expressions, languages, and whatever is not a person.
Terms without a similar counterpart (*soldier* has none among women's occupations) are
`without_partner`.
""",
)
