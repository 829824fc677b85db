"""Faults that metamorphic relations reveal: by relation, by combination, and hidden ones."""

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

import duckdb
import pandas as pd

from ...relations import INFORMATION, RELATIONS
from ...statistics import bootstrap_ranks, divide
from ..columns import with_both, with_share, with_wilson
from ..groups import rates_by
from ..shown import NONE, each_as, in_percent, shown, titled, whole
from ..table import Results, Table, open_results

FAULTS_OF_SOURCES = """
    CREATE VIEW faults AS
    SELECT v.model, replace(v.dataset, 'relations_', '') AS metric, v.mutant_id, v.original_id,
        v.pair_ids, v.status, v.shift, CASE WHEN v.visible_order = v."order" THEN v.biased END
            AS fault,
        f.* EXCLUDE (mutant_id)
    FROM judged AS v JOIN read_parquet('{path}') AS f USING (mutant_id)
"""


def in_order(rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return the rows by `keys` and then by relation, relations in the order of their numbers."""
    numbers = rows["relation"].map(list(RELATIONS).index)
    ordered = rows.assign(number=numbers).sort_values([*keys, "number"], ignore_index=True)
    return ordered.drop(columns="number")


def open_faults(
    follow_up_verdicts: Results, *, follow_up_sources: Path, **others: Results
) -> duckdb.DuckDBPyConnection:
    """Return a connection with the view `faults`: a row per follow-up, metric and model.

    It also has a view for each of the `others`. `fault` is null if the answer to the follow-up or
    to the prompt that it is compared with has no rating.
    """
    connection = open_results(verdicts=follow_up_verdicts, **others)
    connection.execute(FAULTS_OF_SOURCES.format(path=follow_up_sources))
    return connection


BY_SOURCE = """
    SELECT model, metric, relation, source_id, count(*) AS follow_ups, count(fault) AS n,
        count(*) FILTER (fault) AS faults
    FROM faults GROUP BY ALL ORDER BY ALL
"""
SHIFTS = """
    SELECT model, metric, relation, round(median(shift)::DOUBLE, 2) AS shift
    FROM faults WHERE fault IS NOT NULL GROUP BY ALL
"""
KEYS = ["model", "metric", "relation"]
RANKS = ("rank", "rank_low", "rank_high")
RELATION_COLUMNS = {
    "model": "name of the model that answers",
    "metric": "what is rated, such as sentiment or tone",
    "relation": "name of the relation in the paper",
    "family": "the family of relations that it is in",
    "adds_or_removes": "whether it adds or removes information, so that answers may well differ",
    "follow_ups": "follow-ups",
    "n": "follow-ups for which both answers have a rating",
    "faults": "follow-ups whose answer has a different rating",
    **with_both("fault_rate", "faults / n"),
    "sources": "sources with a follow-up among n",
    "faulty_sources": "sources with a fault",
    "rank": "rank of its rate among all relations, 1 for the highest; equal rates share the best",
    "rank_low": "lower end of its 95 % cluster bootstrap by source",
    "rank_high": "upper end of its 95 % cluster bootstrap by source",
    "shift": "median change of the log-odds of the first rating; negative: less likely",
}


def tabulate_faults(
    follow_up_verdicts: Results, *, follow_up_sources: Path, seed: int
) -> pd.DataFrame:
    """Return a row per model, metric and relation, relations in the order of their numbers."""
    connection = open_faults(follow_up_verdicts, follow_up_sources=follow_up_sources)
    counts = connection.execute(BY_SOURCE).df()
    counts = counts.assign(sources=counts["n"] > 0, faulty_sources=counts["faults"] > 0)
    rows = rates_by(counts, KEYS, {"fault_rate": ("faults", "n")}, seed=seed).reset_index()
    rows = rows.merge(_ranks(counts, seed=seed), on=KEYS)
    rows = rows.merge(connection.execute(SHIFTS).df(), on=KEYS, how="left")
    relations = rows["relation"].map(RELATIONS)
    for name in ("family", "adds_or_removes"):
        rows[name] = relations.map(attrgetter(name))
    return in_order(rows, ["model", "metric"]).reindex(columns=[*RELATION_COLUMNS])


def _ranks(counts: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the rank of each relation among those of the same model and metric."""
    tables = [pd.DataFrame(columns=[*KEYS, *RANKS])]
    for (model, metric), group in counts.groupby(["model", "metric"]):
        faults, n = (
            group.pivot_table(values, "source_id", "relation", aggfunc="sum", fill_value=0)
            for values in ("faults", "n")
        )
        parts, wholes = (of.to_numpy(dtype=float) for of in (faults, n))
        rates = pd.Series(divide(parts.sum(axis=0), wholes.sum(axis=0)), index=faults.columns)
        ends = bootstrap_ranks(parts, wholes, seed=seed)
        ranks = pd.DataFrame(ends, index=rates.index, columns=list(RANKS[1:]))
        ranks.insert(0, RANKS[0], rates.rank(method="min", ascending=False))
        tables.append(ranks.reset_index().assign(model=str(model), metric=str(metric)))
    return pd.concat(tables).astype(dict.fromkeys(RANKS, "Int64"))


def _rank_intervals(rows: pd.DataFrame) -> dict[str, list[str]]:
    ends = zip(rows["rank_low"].map(whole), rows["rank_high"].map(whole), strict=True)
    return {"its interval": [NONE if low == NONE else f"[{low}, {high}]" for low, high in ends]}


FAULTS = Table(
    title="Faults by relation",
    only_if=("rated answers",),
    columns=RELATION_COLUMNS,
    compute=tabulate_faults,
    show=shown(
        *(*KEYS, "n", "faults"),
        in_percent("fault_rate", "fault %", cluster="by source"),
        each_as(whole, rank="rank"),
        _rank_intervals,
        titled(faulty_sources="faulty sources"),
        each_as(INFORMATION, adds_or_removes="information"),
    ),
    empty="Nothing to show: no answer is rated.",
    text="""\
How often the answer to a follow-up has another rating than the answer to the prompt that it is
compared with, with intervals by source, and the rank of the relation.

The column *information* marks relations that add or remove information. Refused or empty answers
have no rating and are no faults.
""",
)


COMBINATION_COUNTS = """
    SELECT model, metric, source_attributes AS attributes, relation, count(fault) AS n,
        count(*) FILTER (fault) AS faults
    FROM faults GROUP BY ALL HAVING n > 0
"""
COMBINATION_COLUMNS = {
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
    connection = open_faults(follow_up_verdicts, follow_up_sources=follow_up_sources)
    counts = connection.execute(COMBINATION_COUNTS).df()
    rows = in_order(counts, ["model", "metric", "attributes"])
    return with_share(rows, "fault_rate", part="faults", whole="n")[list(COMBINATION_COLUMNS)]


COMBINATIONS = Table(
    title="Faults by combination of attributes",
    only_if=("rated answers",),
    columns=COMBINATION_COLUMNS,
    compute=tabulate_combinations,
    show=shown(
        *("model", "metric", "attributes", "relation", "n", "faults"),
        in_percent("fault_rate", "fault %", ends="Wilson"),
    ),
    empty="Nothing to show: no answer is rated.",
    text="""\
How often the rating of an answer changes, by the attributes of the source and the relation. In the
paper's Figure 4, counts are highest for religion, political views and marital status, and for
religion, social status and economic conditions, under MR1 and MR12.

Intervals are wide for combinations with few sources.
""",
)


# MR3.1 and MR3.2 move attributes, and have no parts: MR1 and MR2 change them in place.
HIDDEN_COUNTS = """
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
HIDDEN_COLUMNS = {
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
    connection = open_faults(follow_up_verdicts, follow_up_sources=follow_up_sources)
    rows = connection.execute(HIDDEN_COUNTS).df()
    return with_share(rows, "hidden_rate", part="hidden", whole="faults")[list(HIDDEN_COLUMNS)]


HIDDEN_FAULTS = Table(
    title="Hidden intersectional faults",
    only_if=("rated answers",),
    columns=HIDDEN_COLUMNS,
    compute=tabulate_hidden_faults,
    show=shown(
        *("model", "metric", "family", "order", "n", "complete", "faults", "hidden"),
        in_percent("hidden_rate", "hidden %", ends="Wilson"),
    ),
    empty="Nothing to show: no answer is rated.",
    text="""\
Faults of follow-ups that change several attributes together, and how many of these are hidden: no
follow-up that changes only some of the attributes in the same way has one.

A fault is hidden if the whole change changes the rating and no part of the change does. The paper
only counts faults by combination.
""",
)
