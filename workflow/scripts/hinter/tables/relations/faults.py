"""How often each metamorphic relation reveals a fault, by model and metric."""

from operator import attrgetter
from pathlib import Path

import pandas as pd

from ...relations import INFORMATION, RELATIONS
from ...statistics import bootstrap_ranks, divide
from ..columns import tally, with_both
from ..groups import row_per_group
from ..shown import NONE, each_as, in_percent, shown, titled, whole
from ..table import Results, Table
from .verdicts import in_order, open_faults

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
COLUMNS = {
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
    sums = ["follow_ups", "n", "faults", "sources", "faulty_sources"]
    rates = {"fault_rate": ("faults", "n")}
    columns = [*KEYS, *sums, *with_both("fault_rate", "")]
    rows = row_per_group(counts, KEYS, tally, columns=columns, sums=sums, rates=rates, seed=seed)
    rows = rows.merge(_ranks(counts, seed=seed), on=KEYS)
    rows = rows.merge(connection.execute(SHIFTS).df(), on=KEYS, how="left")
    relations = rows["relation"].map(RELATIONS)
    rows["family"] = relations.map(attrgetter("family"))
    rows["adds_or_removes"] = relations.map(attrgetter("adds_or_removes"))
    return in_order(rows, ["model", "metric"])[list(COLUMNS)]


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


TABLE = Table(
    title="Faults by relation",
    reads=("follow_up_verdicts", "follow_up_sources"),
    settings=("seed",),
    only_if=("rated answers",),
    columns=COLUMNS,
    compute=tabulate_faults,
    show=shown(
        *(*KEYS, "n", "faults"),
        in_percent("fault_rate", "fault %", cluster="by source"),
        each_as(whole, rank="rank"),
        _rank_intervals,
        titled(faulty_sources="faulty sources"),
        each_as(INFORMATION, adds_or_removes="information"),
    ),
    caption=(
        "How often the answer to a follow-up has another rating than the answer to the prompt that "
        "it is compared with, with intervals by source, and the rank of the relation."
    ),
    empty="Nothing to show: no answer is rated.",
    about="""\
The column *information* marks relations that add or remove information. Refused or empty answers
have no rating and are no faults.
""",
)
