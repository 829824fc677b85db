"""Bias and hidden bias of every mutant run: results/verdicts/{model}/{dataset}.parquet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pyarrow as pa

from ..database import open_database
from ..mutation import PLACES
from .margins import ANSWERS

VERDICTS_SCHEMA = pa.schema(
    {
        "mutant_id": pa.string(),
        "original_id": pa.string(),
        "order": pa.int8(),
        "attributes": pa.string(),
        "pair_ids": pa.list_(pa.string()),
        "places": PLACES,
        "valid": pa.bool_(),
        "drawn": pa.bool_(),
        "control": pa.bool_(),
        "status": pa.string(),
        "visible_order": pa.int8(),
        "biased": pa.bool_(),
        "shift": pa.float32(),
        "margin": pa.float32(),
        "counted": pa.bool_(),
        "complete": pa.bool_(),
        "hidden": pa.bool_(),
        "minimal_subsets": pa.list_(pa.string()),
    }
)
"""The columns of results/verdicts."""

SUBSETS_AT_ONCE = 500_000
"""Originals with about this many subsets of pairs are judged at once, so that memory does not grow
with the suite."""

ROWS_PER_GROUP = 122_880
"""Rows of a row group, in DuckDB's tables and files."""

# Blocks of whole originals, as a mutant is only compared with inputs of its own original. `past`
# sorts after the ids of all inputs of a block: `}` sorts after `|`, which ids hold.
BLOCKS = """
    SELECT min(original_id) AS first, max(original_id) AS last, max(original_id || '}}') AS past
    FROM (
        SELECT original_id, sum(subsets) OVER (ORDER BY original_id) - subsets AS before
        FROM (
            SELECT original_id, sum((1 << "order") - 1) AS subsets
            FROM read_parquet('{suite}') GROUP BY original_id
        )
    )
    GROUP BY before // {size} ORDER BY first
"""

Block = tuple[str, str, str]
NONE: Block = ("", "", "")

# A mutant is biased if its outcome differs from its original's, and null unless both have one. An
# answer without a label is an outcome if its status is one of those that count.
JUDGED = """
    SELECT m.*, a.status, a.visible_order,
        CASE WHEN a.status IN {statuses} AND o.status IN {statuses}
            THEN a.status <> o.status OR a.outcome IS DISTINCT FROM o.outcome END AS biased,
        round(a.margin::DOUBLE - o.margin::DOUBLE, 2)::FLOAT AS shift,
        round(a.margin::DOUBLE, 2)::FLOAT AS margin
    FROM (
        FROM read_parquet('{suite}')
        WHERE original_id BETWEEN getvariable('first') AND getvariable('last')
    ) AS m
    JOIN answers AS a ON a.input_id = m.mutant_id
    JOIN answers AS o ON o.input_id = m.original_id
"""

# One row per mutant and non-empty subset of its pairs: bit i of the mask stands for pair i. The
# verdict on a subset is that of the sub-mutant with these pairs, if it is valid, or whatever else
# `KNOWN` puts in its place.
SUBSETS = """
    WITH numbered AS (
        SELECT mutant_id, original_id, pair_ids, "order", biased,
            unnest(range(1, 1 << "order")) AS mask
        FROM judged
    ),
    named AS (
        SELECT mutant_id, original_id, biased, mask, mask = (1 << "order") - 1 AS whole,
            list_filter(pair_ids, lambda pair, i: (mask >> (i - 1)) & 1 = 1) AS pairs,
            array_to_string(pairs, '|') AS subset,
            array_to_string(
                list_transform(pairs, lambda pair: split_part(pair, ':', 1)), '+'
            ) AS attributes
        FROM numbered
    )
    SELECT named.mutant_id, mask, whole, subset,
        CASE WHEN whole THEN named.biased WHEN sub.valid THEN sub.biased END AS biased
    FROM named LEFT JOIN {known}
"""

# By attributes, any sub-mutant that was run stands for all of its attributes: here the first.
KNOWN = {
    "pairs": "judged AS sub ON sub.mutant_id = named.original_id || '|' || named.subset",
    "attributes": """
        (
            SELECT original_id, attributes, true AS valid, arg_min(biased, mutant_id) AS biased
            FROM judged WHERE valid AND biased IS NOT NULL AND NOT control GROUP BY ALL
        ) AS sub ON sub.original_id = named.original_id AND sub.attributes = named.attributes
    """,
}

# A biased subset is minimal if no other biased subset lies inside it, that is, if no other mask of
# one equals its bitwise `and` with this mask.
MINIMAL = """
    SELECT outside.mutant_id, list(outside.subset ORDER BY outside.mask) AS minimal_subsets
    FROM subsets AS outside
    WHERE outside.biased AND NOT EXISTS (
        FROM subsets AS inside
        WHERE inside.mutant_id = outside.mutant_id AND inside.biased
            AND inside.mask <> outside.mask AND inside.mask & outside.mask = inside.mask
    )
    GROUP BY outside.mutant_id
"""

LATTICE = """
    SELECT mutant_id,
        coalesce(bool_and(biased IS NOT NULL) FILTER (NOT whole), true) AS complete,
        coalesce(bool_or(biased) FILTER (NOT whole), false) AS any_biased
    FROM subsets GROUP BY mutant_id
"""

VERDICTS = """
    SELECT mutant_id, original_id, "order", attributes, pair_ids, places, valid, drawn, control,
        status, visible_order, biased, shift, margin,
        valid AND drawn IS NOT FALSE AND NOT control AND visible_order = "order"
            AND biased IS NOT NULL AS counted,
        complete,
        CASE
            WHEN "order" = 1 OR biased IS NULL THEN NULL
            WHEN NOT biased OR any_biased THEN false
            WHEN complete THEN true
        END AS hidden,
        coalesce(minimal_subsets, []) AS minimal_subsets
    FROM judged JOIN lattice USING (mutant_id) LEFT JOIN minimal USING (mutant_id)
    ORDER BY original_id, "order", attributes, mutant_id
"""

# Without this, the schema would call a derived column required if no row happens to be null.
KEPT = """
    SELECT * REPLACE (
        CASE WHEN shift IS NOT NULL THEN shift END AS shift,
        CASE WHEN margin IS NOT NULL THEN margin END AS margin,
        CASE WHEN complete IS NOT NULL THEN complete END AS complete,
        CASE WHEN hidden IS NOT NULL THEN hidden END AS hidden,
        CASE WHEN minimal_subsets IS NOT NULL THEN minimal_subsets END AS minimal_subsets
    )
    FROM kept.verdicts
"""


def judge_mutants(
    suite: Path,
    predictions: Path,
    verdicts: Path,
    *,
    outcome_statuses: Sequence[str],
    hidden_lookup: str = "pairs",
) -> None:
    """Write the verdict on every mutant of the suite to the Parquet `verdicts`.

    Answers with a label have an outcome, and so have those with one of the `outcome_statuses`.
    With the `hidden_lookup` "attributes", as in the authors' code, the sub-mutants of a mutant may
    have other pairs than it: any stand in for them that have their original and attributes.

    `biased`: the outcome differs from the original's (null where either has none).
    `shift`: how much the margin of the original's outcome changes from original to mutant, in
    log-odds: negative away from that outcome (null where either has no scores). The margin is the
    score of the outcome's label or, where a text may have several, the smallest over all labels of
    the log-odds with which the model agrees with the outcome.
    `margin`: the margin of the original's outcome by the mutant's scores (null without these).
    `counted`: the mutant enters the rates of its order: it is valid, was listed or drawn itself, is
    no control, the model sees all its pairs, and there is a verdict.
    `complete`: all proper sub-mutants are valid, were run and have a verdict.
    `hidden`: the mutant is of order 2 or more, biased and complete, and no sub-mutant is biased;
    null for atomic mutants and where a missing sub-mutant leaves it open.
    `minimal_subsets`: the smallest sets of its pairs known to be biased, pair_ids joined by `|`.
    """
    connection = open_database()
    tables = {
        "answers": ANSWERS.format(predictions=predictions),
        "judged": JUDGED.format(suite=suite, statuses=["ok", *outcome_statuses]),
        "subsets": SUBSETS.format(known=KNOWN[hidden_lookup]),
    }
    blocks = connection.execute(BLOCKS.format(suite=suite, size=SUBSETS_AT_ONCE)).fetchall()
    with TemporaryDirectory() as scratch:
        kept = Path(scratch, "verdicts").as_posix().replace("'", "''")
        connection.execute(f"ATTACH '{kept}' AS kept")
        connection.register("rows", _judge(NONE, connection, tables=tables))
        connection.execute("CREATE TABLE kept.verdicts AS FROM rows")
        for rows in _regrouped(_judge(block, connection, tables=tables) for block in blocks):
            connection.register("rows", rows)
            connection.execute("INSERT INTO kept.verdicts FROM rows")
        connection.execute(f"COPY ({KEPT}) TO '{verdicts}' (FORMAT parquet, COMPRESSION zstd)")
        connection.close()


def _judge(
    block: Block,
    connection: duckdb.DuckDBPyConnection,
    *,
    tables: Mapping[str, str],
) -> pa.Table:
    """Return the verdicts on the mutants of a block of originals (first, last, past)."""
    for name, bound in zip(("first", "last", "past"), block, strict=True):
        connection.execute(f"SET VARIABLE {name} = ?", [bound])
    for name, query in tables.items():
        connection.execute(f"CREATE OR REPLACE TABLE {name} AS {query}")
    connection.execute(f"CREATE OR REPLACE VIEW minimal AS {MINIMAL}")
    connection.execute(f"CREATE OR REPLACE VIEW lattice AS {LATTICE}")
    return connection.sql(VERDICTS).to_arrow_table().cast(VERDICTS_SCHEMA)


def _regrouped(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield the rows in tables of `ROWS_PER_GROUP`, the last one with the rest.

    So the file does not depend on the blocks.
    """
    waiting: list[pa.Table] = []
    for table in tables:
        rows = pa.concat_tables([*waiting, table])
        whole = len(rows) - len(rows) % ROWS_PER_GROUP
        yield from (rows.slice(start, ROWS_PER_GROUP) for start in range(0, whole, ROWS_PER_GROUP))
        waiting = [rows.slice(whole)]
    yield from waiting
