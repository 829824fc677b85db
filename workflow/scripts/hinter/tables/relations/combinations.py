"""Faults by the combination of attributes in the source, and by relation."""

from pathlib import Path

import pandas as pd

from ..columns import with_share, with_wilson
from ..shown import in_percent, shown
from ..table import Results, Table
from .verdicts import in_order, open_faults

COUNTS = """
    SELECT model, metric, source_attributes AS attributes, relation, count(fault) AS n,
        count(*) FILTER (fault) AS faults
    FROM faults GROUP BY ALL HAVING n > 0
"""
COLUMNS = {
    "model": "name of the model that answers",
    "metric": "what is rated, such as sentiment or tone",
    "attributes": "the attributes of the sources",
    "relation": "name of the relation in the paper",
    "n": "follow-ups of these sources for which both answers have a rating",
    "faults": "follow-ups whose answer has a different rating",
    **with_wilson("fault_rate", "faults / n"),
}


def tabulate_combinations(follow_up_verdicts: Results, *, follow_up_sources: Path) -> pd.DataFrame:
    """Return a row per model, metric, combination of attributes and relation."""
    rows = open_faults(follow_up_verdicts, follow_up_sources=follow_up_sources).execute(COUNTS).df()
    rows = in_order(rows, ["model", "metric", "attributes"])
    return with_share(rows, "fault_rate", part="faults", whole="n")[list(COLUMNS)]


TABLE = Table(
    title="Faults by combination of attributes",
    reads=("follow_up_verdicts", "follow_up_sources"),
    only_if=("rated answers",),
    columns=COLUMNS,
    compute=tabulate_combinations,
    show=shown(
        *("model", "metric", "attributes", "relation", "n", "faults"),
        in_percent("fault_rate", "fault %", ends="Wilson"),
    ),
    caption=(
        "How often the rating of an answer changes, by the attributes of the source and the "
        "relation. In the paper's Figure 4, counts are highest for religion, political views and "
        "marital status, and for religion, social status and economic conditions, under MR1 and "
        "MR12."
    ),
    empty="Nothing to show: no answer is rated.",
    about="Intervals are wide for combinations with few sources.",
)
