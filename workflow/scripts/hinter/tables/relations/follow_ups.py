"""How many follow-ups metamorphic relations make, and how accurate their raters are."""

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

import pandas as pd

from ...database import open_database
from ...relations import INFORMATION, RELATIONS
from ..columns import with_share, with_wilson
from ..shown import each_as, percent, shown, titled
from ..table import Table

COUNTS = """
    SELECT relation, count(DISTINCT source_id) AS applicable, count(*) AS follow_ups,
        count(DISTINCT text) AS texts
    FROM read_parquet(?) GROUP BY relation
"""
SOURCES = "SELECT count(DISTINCT source_id) FROM read_parquet(?)"
FOLLOW_UP_COLUMNS = {
    "relation": "name of the relation in the paper",
    "title": "what it does",
    "family": "the family of relations that it is in",
    "adds_or_removes": "whether it adds or removes information, so that answers may well differ",
    "sources": "source prompts",
    "applicable": "sources that the relation applies to",
    **with_wilson("applicable_share", "applicable / sources"),
    "follow_ups": "follow-ups that it makes",
    "texts": "distinct texts among the follow-ups",
}


def tabulate_follow_ups(follow_up_sources: Path) -> pd.DataFrame:
    """Return a row per relation, also without follow-ups, in the order of their numbers."""
    connection = open_database()
    ((sources,),) = connection.execute(SOURCES, [str(follow_up_sources)]).fetchall()
    counts = connection.execute(COUNTS, [str(follow_up_sources)]).df().set_index("relation")
    columns = ["title", "family", "adds_or_removes"]
    rows = pd.DataFrame(map(attrgetter(*columns), RELATIONS.values()), columns=columns)
    rows = rows.assign(relation=list(RELATIONS), sources=sources)
    rows = rows.join(counts.reindex(list(RELATIONS), fill_value=0), on="relation")
    rows = with_share(rows, "applicable_share", part="applicable", whole="sources")
    return rows[list(FOLLOW_UP_COLUMNS)]


FOLLOW_UPS = Table(
    title="Follow-ups of metamorphic relations",
    columns=FOLLOW_UP_COLUMNS,
    compute=tabulate_follow_ups,
    show=shown(
        *("relation", "title", "sources"),
        each_as(percent, applicable_share="applies to %"),
        lambda rows: {"does not apply to": rows["sources"] - rows["applicable"]},
        titled(follow_ups="follow-ups", texts="different texts"),
        each_as(INFORMATION, adds_or_removes="information"),
    ),
    empty="Nothing to show: there is no source.",
    text="""\
How many follow-ups each metamorphic relation makes of the source prompts. A relation that does not
apply to a source makes no follow-up of it.

The 17 relations of Reddy, Srinivasan and Kanewala (2025), with their sub-relations. Answers may
change if a relation adds or removes information; otherwise they should not.
""",
)


RATER_COLUMNS = {
    "model": "name of the classifier",
    "dataset": "name of the dataset that it is fine-tuned on",
    "split": "the split that it is scored on",
    "texts": "number of texts",
    "accuracy": "share of texts with the right label",
    "macro_f1": "macro F1 over the labels",
}


def tabulate_raters(rater_scores: Sequence[Path]) -> pd.DataFrame:
    """Return a row per classifier and split."""
    none = pd.DataFrame(columns=list(RATER_COLUMNS))
    found = pd.concat([none, *map(pd.read_csv, rater_scores)], ignore_index=True)
    return found[list(RATER_COLUMNS)]


RATERS = Table(
    title="Classifiers of answers",
    only_if=("fine-tuned raters",),
    columns=RATER_COLUMNS,
    compute=tabulate_raters,
    show=shown(
        *("model", "dataset", "split", "texts"),
        each_as(percent, accuracy="accuracy %", macro_f1="macro F1 %"),
    ),
    empty="Nothing to show: no classifier is fine-tuned in this study.",
    text="""\
How accurate the classifiers that rate answers are on held-out texts.

They are fine-tuned in this study. Their errors are noise in all counts of faults.
""",
)
