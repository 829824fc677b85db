"""Faults compared with the noise of repeated answers, and with the paper's numbers."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from ...relations import INFORMATION, RELATIONS
from ...yaml_files import data_of
from ..columns import with_bootstrap
from ..groups import adjust_by_model
from ..pairing import excess_of_lines
from ..shown import NONE, Columns, difference_of, each_as, p_and_q, percent, shown, titled, whole
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
EXCESS_COLUMNS = {
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
        return pd.DataFrame(columns=list(EXCESS_COLUMNS))
    rows = excess_of_lines(sums, KEYS, seed=seed).reset_index()
    rows = rows.rename(columns={"originals": "sources", "control_rate": "floor"})
    return adjust_by_model(rows.reindex(columns=list(EXCESS_COLUMNS)), "")


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


EXCESS_OF_FAULTS = Table(
    title="Faults in excess of noise",
    only_if=("rated answers", "repeats of all prompts"),
    columns=EXCESS_COLUMNS,
    compute=tabulate_excess_of_faults,
    show=shown(
        *(*KEYS, "n", "sources"),
        each_as(percent, rate="%", floor="floor %"),
        difference_of("excess", "excess", ends="by source"),
        p_and_q(),
    ),
    empty="Nothing to show: no answer is rated.",
    text="""\
Faults in excess of noise: how much more often a follow-up changes the rating of the answer than
asking the original prompt again does, in percentage points, with a 95 % cluster bootstrap by source
and a permutation test that swaps the two (p), adjusted by Benjamini-Hochberg (q). Models that run
here give the same answer again, so their floor is 0. Where information is added or removed, another
answer may well be right.

*floor* is how often repeated answers to the same prompt differ in rating (`repeats`, for models
behind endpoints). If information is kept, sentiment and tone should not change.
""",
)


SOURCES = 4700
"""The paper's source prompts."""


EACH = "each"
SAME = ("section", "metric", "relation")
PRINTED = [
    {name if name in SAME else f"printed_{name}": value for name, value in number.items()}
    for number in data_of(__file__)
]
"""The numbers of Section VII of Reddy, Srinivasan and Kanewala (2025), in its order, by column."""
PRINTED_COLUMNS = {
    "section": "section of the paper",
    "printed_model": "the paper's model",
    "metric": "what is rated, such as sentiment or tone",
    "relation": "the relation, or each",
    "printed_low": "least printed number of faults, of 4,700 sources",
    "printed_high": "largest printed number of faults",
    "printed_rank": "printed rank of the relation among all, if there is one",
    "printed_share_low": "printed_low / 4,700, as if a relation made one follow-up of each source",
    "printed_share_high": "printed_high / 4,700",
    "model": "the study's model",
    "sources": "sources with a rating, for the relation with the most",
    "faulty_low": "sources with a fault, for the relation with the fewest",
    "faulty_high": "sources with a fault, for the relation with the most",
    "share_low": "sources with a fault / rated sources, for the relation with the lowest share",
    "share_high": "the same for the relation with the highest share",
    "rank": "rank of the relation among all",
    "same_model_and_data": "whether models and data are the paper's",
}


def tabulate_printed_faults(faults: pd.DataFrame) -> pd.DataFrame:
    """Return a row per printed number and model of the study, given the rows of `faults`."""
    rated = faults[faults["n"] > 0]
    rows = [
        {**printed, "model": str(model), **_own(of_model, printed["relation"])}
        for printed in PRINTED
        for model, of_model in rated[
            (rated["metric"] == printed["metric"])
            & ((rated["relation"] == printed["relation"]) | (printed["relation"] == EACH))
        ].groupby("model")
    ]
    whole_numbers = dict.fromkeys(("printed_low", "printed_high", "printed_rank", "rank"), "Int64")
    table = pd.DataFrame(rows, columns=list(PRINTED_COLUMNS)).astype(whole_numbers)
    for end in ("low", "high"):
        table[f"printed_share_{end}"] = (table[f"printed_{end}"].astype(float) / SOURCES).round(6)
    return table.assign(same_model_and_data="no")


def _own(faults: pd.DataFrame, relation: str) -> dict[str, object]:
    faulty, sources = faults["faulty_sources"], faults["sources"]
    shares = (faulty / sources).round(6)
    return {
        "sources": sources.max(),
        "faulty_low": faulty.min(),
        "faulty_high": faulty.max(),
        "share_low": shares.min(),
        "share_high": shares.max(),
        "rank": None if relation == EACH else faults["rank"].iloc[0],
    }


def _range(name: str, title: str, *, form: Callable[[float], str]) -> Columns:
    """Return the columns `{name}_low` and `{name}_high` as one."""

    def interval(low: str, high: str) -> str:
        if low == high:
            return high
        return f"below {high}" if low == NONE else f"{low} to {high}"

    return lambda rows: {
        title: list(map(interval, *(rows[f"{name}_{end}"].map(form) for end in ("low", "high"))))
    }


PRINTED_FAULTS = Table(
    title="Faults that the paper prints",
    only_if=("rated answers",),
    columns=PRINTED_COLUMNS,
    compute=tabulate_printed_faults,
    show=shown(
        *("section", "printed_model", "metric", "relation"),
        _range("printed", "printed faults", form=whole),
        _range("printed_share", "per 100 sources", form=percent),
        each_as(whole, printed_rank="printed rank"),
        "model",
        _range("faulty", "faulty sources", form=whole),
        _range("share", "of 100 sources", form=percent),
        each_as(whole, rank="rank"),
        titled(same_model_and_data="same model and data"),
    ),
    empty="Nothing to show: no answer is rated.",
    text="""\
The numbers of faults in the paper on relations, of 4,700 sources, and the sources of the study that
have a fault. Models and data differ from the paper's. Its figures have no numbers, so these are
taken from its text.

Prompts and classifiers also differ from the paper's, so numbers may well differ.
""",
)
