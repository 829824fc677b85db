"""Faults in excess of noise: how much more a rewritten prompt changes than asking again."""

from pathlib import Path

import pandas as pd

from ...relations import INFORMATION, RELATIONS
from ..columns import with_bootstrap
from ..groups import adjust_by_model
from ..pairing import excess_of_lines
from ..shown import difference_of, each_as, p_and_q, percent, shown
from ..table import Results, Table, query_results
from .faults import open_faults

# A first answer and a later one to the same prompt, both with a rating.
FLOORS = """
    WITH rated AS (FROM repeats WHERE status = 'ok')
    SELECT model, replace(dataset, 'relations_', '') AS metric, original_id,
        avg((later.outcome IS DISTINCT FROM first.outcome)::INT) AS floor
    FROM rated AS first JOIN rated AS later USING (model, dataset, original_id)
    WHERE first.repeat = 1 AND later.repeat > 1
    GROUP BY ALL
"""
BY_SOURCE = """
    SELECT model, metric, relation, family, source_id AS original_id, count(*) AS n,
        sum(fault::INT)::DOUBLE AS changed, sum(floor)::DOUBLE AS control
    FROM faults JOIN floors USING (model, metric, original_id)
    WHERE fault IS NOT NULL
    GROUP BY ALL ORDER BY ALL
"""
# Models that run here decode greedily, so asking again gives the same answer.
SURE = """
    SELECT DISTINCT model, metric, original_id, 0.0 AS floor
    FROM faults WHERE NOT list_contains(?, model)
"""
KEYS = ["model", "metric", "level", "line"]
COLUMNS = {
    "model": "name of the model that answers",
    "metric": "what is rated, such as sentiment or tone",
    "level": "what the line sums up: information (added or removed, or kept), family or relation",
    "line": "information added or removed, or kept; name of the family, or of the relation",
    "n": "follow-ups with a rating, of prompts whose repeats have a rating",
    "sources": "sources of these follow-ups",
    "rate": "share of follow-ups with a fault",
    "floor": "share of repeated answers to the same prompts whose rating differs; 0 for models "
    "that run here, whose answers do not vary",
    **with_bootstrap("excess", "rate - floor, by source"),
    "p_value": "two-sided permutation test that swaps follow-ups and repeats, source by source",
    "q_value": "its Benjamini-Hochberg adjustment over all lines and metrics of a model",
}


def tabulate_excess_of_faults(
    follow_up_verdicts: Results, follow_up_repeats: Results, *, follow_up_sources: Path, seed: int
) -> pd.DataFrame:
    """Return a row per model, metric and line: information, families, then relations."""
    connection = open_faults(follow_up_verdicts, follow_up_sources=follow_up_sources)
    asked_again = [model for model, _, _ in follow_up_repeats]
    floors = [connection.execute(SURE, [asked_again]).df()]
    if follow_up_repeats:
        floors.append(query_results(FLOORS, repeats=follow_up_repeats))
    connection.register("floors", pd.concat(floors, ignore_index=True))
    sums = _lines(connection.execute(BY_SOURCE).df())
    if sums.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    rows = excess_of_lines(sums, KEYS, seed=seed).reset_index()
    rows = rows.rename(columns={"originals": "sources", "control_rate": "floor"})
    return adjust_by_model(rows.reindex(columns=list(COLUMNS)), "")


def _lines(sums: pd.DataFrame) -> pd.DataFrame:
    """Return the sums by source of every line, in the order of the table."""
    order = {name: place for place, name in enumerate(RELATIONS)}
    of_kind = {name: INFORMATION[relation.adds_or_removes] for name, relation in RELATIONS.items()}
    levels = {
        "information": sums["relation"].map(of_kind),
        "family": sums["family"],
        "relation": sums["relation"],
    }
    lines = pd.concat(
        sums.assign(level=level, line=line, rank=rank, place=sums["relation"].map(order))
        for rank, (level, line) in enumerate(levels.items())
    )
    by = ["model", "metric", "rank", "level", "line", "original_id"]
    added = {"n": "sum", "changed": "sum", "control": "sum", "place": "min"}
    summed: pd.DataFrame = lines.groupby(by, as_index=False).agg(added)
    summed["place"] = summed.groupby(["rank", "line"])["place"].transform("min")
    return summed.sort_values(["model", "metric", "rank", "place", "original_id"])


TABLE = Table(
    title="Faults in excess of noise",
    reads=("follow_up_verdicts", "follow_up_repeats", "follow_up_sources"),
    settings=("seed",),
    only_if=("rated answers", "repeats of all prompts"),
    columns=COLUMNS,
    compute=tabulate_excess_of_faults,
    show=shown(
        *(*KEYS, "n", "sources"),
        each_as(percent, rate="%", floor="floor %"),
        difference_of("excess", "excess", ends="by source"),
        p_and_q(),
    ),
    caption=(
        "Faults in excess of noise: how much more often a follow-up changes the rating of the "
        "answer than asking the original prompt again does, in percentage points, with a 95 % "
        "cluster bootstrap by source and a permutation test that swaps the two (p), "
        "adjusted by Benjamini-Hochberg (q). Models that run here give the same answer again, "
        "so their floor is 0. Where information is added or removed, another answer may well be "
        "right."
    ),
    empty="Nothing to show: no answer is rated.",
    about="""\
*floor* is how often repeated answers to the same prompt differ in rating (`repeats`, for models
behind endpoints). If information is kept, sentiment and tone should not change.
""",
)
