"""How many mutants have a control, and how alike the two are."""

import pandas as pd

from ..columns import with_share, with_wilson
from ..shown import each_as, in_percent, shown, titled, whole
from ..table import Results, Table, open_results

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
    "matched": "those with a control",
    **with_wilson("coverage", "matched / mutants"),
    "neutral": "of those with several attributes, the ones that also have a control with a neutral "
    "pair in place of each",
    "same_places": "those whose control replaces a term with as many places",
    "same_class": "those whose control replaces a term of the same word class",
    "edits": "different neutral edits among the controls, which mutants of an original may share",
    "distance": "characters between the neutral term and the one that it stands in for (median)",
}


def tabulate_controls(controls: Results) -> pd.DataFrame:
    """Return a row per dataset and order."""
    counts: pd.DataFrame = open_results(controls=controls).execute(COUNTS).df()
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
        titled(neutral="all neutral", same_places="as many places"),
        titled(same_class="same word class", edits="distinct edits"),
        each_as(whole, distance="characters apart"),
    ),
    caption=(
        "How many valid mutants of the suite have a control, and how alike they are: whether the "
        "neutral term has as many places as the sensitive one that it stands in for, and a word "
        "class in common, and how many characters are between them (median)."
    ),
    empty="Nothing to show: the suite has no valid mutant.",
    about="""\
The neutral term is the one with the nearest number of places, then of the same word class, then the
nearest in the text, that keeps the invariant. Where neutral terms can stand in for all sensitive
ones, a second control is *all neutral*. Mutants without a control enter no comparison with them.
""",
)
