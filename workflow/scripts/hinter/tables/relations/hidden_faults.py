"""Faults of several attributes changed together that none of their parts reveals."""

from pathlib import Path

import pandas as pd

from ..columns import with_share, with_wilson
from ..shown import in_percent, shown
from ..table import Results, Table
from .verdicts import open_faults

# MR3.1 and MR3.2 move attributes, and have no parts: MR1 and MR2 change them in place.
COUNTS = """
    WITH changed AS (
        SELECT DISTINCT model, metric, family, source_id, list_sort(pair_ids) AS pairs,
            len(pair_ids) AS "order", fault
        FROM faults WHERE len(pair_ids) > 0 AND relation NOT IN ('MR3.1', 'MR3.2')
    ),
    wholes AS (
        SELECT *, unnest(sub_mutants(pairs)) AS part FROM changed
        WHERE "order" >= 2 AND fault IS NOT NULL
    ),
    known AS (
        SELECT w.model, w.metric, w.family, w.source_id, w.pairs, w."order", w.fault,
            count(part.fault) AS parts, coalesce(bool_or(part.fault), false) AS part_fault
        FROM wholes AS w LEFT JOIN changed AS part
            ON part.model = w.model AND part.metric = w.metric AND part.family = w.family
            AND part.source_id = w.source_id AND part.pairs = part_of(w.pairs, w.part)
        GROUP BY ALL
    )
    SELECT model, metric, family, "order", count(*) AS n,
        count(*) FILTER (complete) AS complete,
        count(*) FILTER (complete AND fault) AS faults,
        count(*) FILTER (complete AND fault AND NOT part_fault) AS hidden
    FROM (SELECT *, parts = len(sub_mutants(pairs)) AS complete FROM known)
    GROUP BY ALL ORDER BY ALL
"""
COLUMNS = {
    "model": "name of the model that answers",
    "metric": "what is rated, such as sentiment or tone",
    "family": "family of the relations",
    "order": "number of attributes that are changed together",
    "n": "follow-ups with a verdict",
    "complete": "follow-ups for which every part of the change was made and has a verdict",
    "faults": "complete follow-ups with a fault",
    "hidden": "faults that no part of the change reveals",
    **with_wilson("hidden_rate", "hidden / faults"),
}


def tabulate_hidden_faults(follow_up_verdicts: Results, *, follow_up_sources: Path) -> pd.DataFrame:
    """Return a row per model, metric, family and number of attributes changed."""
    rows = open_faults(follow_up_verdicts, follow_up_sources=follow_up_sources).execute(COUNTS).df()
    return with_share(rows, "hidden_rate", part="hidden", whole="faults")[list(COLUMNS)]


TABLE = Table(
    title="Hidden intersectional faults",
    reads=("follow_up_verdicts", "follow_up_sources"),
    only_if=("rated answers",),
    columns=COLUMNS,
    compute=tabulate_hidden_faults,
    show=shown(
        *("model", "metric", "family", "order", "n", "complete", "faults", "hidden"),
        in_percent("hidden_rate", "hidden %", ends="Wilson"),
    ),
    caption=(
        "Faults of follow-ups that change several attributes together, and how many of these are "
        "hidden: no follow-up that changes only some of the attributes in the same way has one."
    ),
    empty="Nothing to show: no answer is rated.",
    about="""\
A fault is hidden if the whole change changes the rating and no part of the change does. The paper
only counts faults by combination.
""",
)
