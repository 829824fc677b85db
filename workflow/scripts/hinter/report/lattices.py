"""Choose the cases of the page, and read the models' answers to their parts and controls."""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pandas as pd

from ..lattice import lattice_of

# Rates count only valid mutants. A mutant that is only part of a sampled one is shown with that.
BIASED = """
    SELECT model, dataset, mutant_id, valid, hidden IS TRUE AS hidden
    FROM full_verdicts WHERE biased AND sampled IS DISTINCT FROM false
"""
CHOSEN = f"""
    CREATE TABLE chosen AS
    SELECT *, row_number() OVER (ORDER BY hidden DESC, valid DESC, hash, model, dataset) AS rank
    FROM (
        SELECT *, md5('{{seed}}:' || mutant_id) AS hash FROM ({BIASED})
        ORDER BY hidden DESC, valid DESC, hash, model, dataset LIMIT {{most}}
    )
"""
TOTALS = f"SELECT count(*), count(*) FILTER (hidden) FROM ({BIASED})"

Row = dict[str, Any]
Key = tuple[str, str, str]
"""Model, dataset, and the id of a mutant or of an original."""
# As recipes, in the order of their ranks.
CASES = """
    SELECT c.model, c.dataset, c.mutant_id, v.original_id, v.attributes, v.pair_ids, v.edits,
        c.valid, c.hidden, v.sampled, v.complete, v.hidden IS NULL AND v."order" > 1 AS undecided
    FROM chosen AS c JOIN judged AS v USING (model, dataset, mutant_id) ORDER BY c.rank
"""
CONTROLS = """
    SELECT c.model, c.dataset, c.mutant_id, k.control_id, v.original_id, v.pair_ids, v.edits
    FROM chosen AS c JOIN controls AS k ON k.dataset = c.dataset AND k.mutant_id = c.mutant_id
    JOIN judged AS v
        ON v.model = c.model AND v.dataset = c.dataset AND v.mutant_id = k.control_id
"""
# Sub-mutants whose edits are not among those of the mutant: if terms overlap, the sub-mutant with
# the shorter one changes text that the mutant leaves to the longer one.
OTHERS = """
    SELECT c.model, c.dataset, c.mutant_id, c.part, v.original_id, v.pair_ids, v.edits
    FROM (
        SELECT model, dataset, mutant_id, original_id, pair_ids, edits,
            unnest(sub_mutants(pair_ids)) AS part
        FROM chosen JOIN judged USING (model, dataset, mutant_id)
    ) AS c
    JOIN judged AS v ON v.model = c.model AND v.dataset = c.dataset
        AND v.mutant_id = part_id(c.original_id, c.pair_ids, c.part)
    WHERE v.edits <> list_filter(c.edits, lambda edit:
        list_contains(string_split(v.attributes, '+'), edit.attribute)
    )
    ORDER BY c.part
"""
CHECKS = """
    SELECT c.model, c.dataset, c.mutant_id, k.tolerant, k.strict, k.heads
    FROM chosen AS c JOIN comparators AS k ON k.dataset = c.dataset AND k.mutant_id = c.mutant_id
"""
EXAMINED = """
    SELECT model, dataset, mutant_id, e.repeats, e.times_biased, e.times_hidden, e.replaced,
        e.sufficient
    FROM chosen JOIN cases AS e USING (model, dataset, mutant_id)
"""
# A task may have hundreds of labels: only the scores of labels in outcomes are shown.
READINGS = """
    SELECT w.model, w.dataset, w.input_id, p.outcome, p.status, p.answer, p.input_hash, v.biased,
        v.shift,
        map_from_entries(list_filter(map_entries(p.scores), lambda score:
            list_contains(p.outcome, score.key) OR list_contains(o.outcome, score.key)
        )) AS scores
    FROM wanted AS w
    JOIN predictions AS p USING (model, dataset, input_id)
    JOIN predictions AS o
        ON o.model = w.model AND o.dataset = w.dataset AND o.input_id = w.original_id
    LEFT JOIN judged AS v
        ON v.model = w.model AND v.dataset = w.dataset AND v.mutant_id = w.input_id
"""


def choose_cases(connection: duckdb.DuckDBPyConnection, *, most: int, seed: int) -> tuple[int, int]:
    """Make the table `chosen` of at most so many cases; return the numbers of all and hidden ones.

    A case is a biased mutant of a model. Cases are shown in the order of their `rank`: first hidden
    ones, then other valid ones, then discarded ones, each in the order of a seeded hash. The
    connection has the views of verdicts that tables count.
    """
    connection.execute(CHOSEN.format(seed=seed, most=most))
    ((cases, hidden),) = connection.execute(TOTALS).fetchall()
    return cases, hidden


def rows_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    """Return the result of a query, with maps as dictionaries."""
    rows: list[Row] = connection.sql(query).to_arrow_table().to_pylist(maps_as_pydicts="strict")
    return rows


def rows_by_key(connection: duckdb.DuckDBPyConnection, query: str) -> dict[Key, Row]:
    """Return the result of a query about each chosen case, by model, dataset and mutant_id."""
    rows = rows_of(connection, query)
    return {(row.pop("model"), row.pop("dataset"), row.pop("mutant_id")): row for row in rows}


def read_readings(
    connection: duckdb.DuckDBPyConnection, cases: Sequence[Row], controls: Mapping[Key, Row]
) -> dict[Key, Row]:
    """Return the answers of models to all parts of the cases and to their controls.

    Parts that were not run are left out.
    """
    wanted = {
        (case["model"], case["dataset"], input_id, case["original_id"])
        for case in cases
        for input_id in lattice_of(case["original_id"], case["pair_ids"])
    }
    wanted |= {
        (model, dataset, row["control_id"], mutant_id.partition("|")[0])
        for (model, dataset, mutant_id), row in controls.items()
    }
    names = ["model", "dataset", "input_id", "original_id"]
    connection.register("wanted", pd.DataFrame(sorted(wanted), columns=names, dtype="str"))
    return {
        (row["model"], row["dataset"], row["input_id"]): reading(
            row, shift=None if row["shift"] is None else round(row["shift"], 2)
        )
        for row in rows_of(connection, READINGS)
    }


def reading(row: Row, **more: Any) -> Row:
    """Return a model's answer in the format of the page, and `more`, without empty fields."""
    return known(
        {
            "outcome": row["outcome"],
            "status": None if row["status"] == "ok" else row["status"],
            "answer": row["answer"],
            "seen": row["input_hash"],
            "scores": rounded(row["scores"]) or None,
            "biased": row["biased"],
            **more,
        }
    )


def rounded(scores: Mapping[str, float] | None) -> dict[str, float]:
    """Return scores as the page shows them."""
    return {label: round(score, 2) for label, score in sorted((scores or {}).items())}


def known(row: Mapping[str, Any]) -> Row:
    """Return the fields of a row that are not None."""
    return {name: value for name, value in row.items() if value is not None}
