"""How many mutants have a control, and how similar the two are."""

import pandas as pd

from ..columns import with_share, with_wilson
from ..shown import each_as, in_percent, shown, titled, whole
from ..table import Results, Table, query_results

# An id holds a pair after each bar.
COUNTS = """
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
    counts = query_results(COUNTS, controls=controls)
    return with_share(counts, "coverage", part="matched", whole="mutants")[list(COLUMNS)]


TABLE = Table(
    question="Mutants",
    title="Controls",
    reads=("controls",),
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
    caption=(
        "How many valid mutants of the suite have a control, and how similar the two are: whether "
        "the neutral term occurs as often as the sensitive term that it stands in for and shares "
        "a word class with it, and how many characters are between them (median)."
    ),
    empty="Nothing to show: the suite has no valid mutant.",
    about="""\
Of the neutral terms that keep the invariant, the one with the closest number of occurrences is
taken, then one of the same word class, then the nearest in the text. If neutral terms can stand in
for all sensitive ones, a second control is *all neutral*. Mutants without a control are left out of
comparisons with controls.
""",
)
