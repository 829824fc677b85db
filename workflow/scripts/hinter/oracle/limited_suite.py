"""The part of a suite for models whose originals, pairs, combinations or tests are limited."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from ..blocks import INPUTS_OF_BLOCK, OF_BLOCK, RowGroups
from ..database import open_database
from ..errors import InputError
from .suite import sample_originals, sampled_rows


def limit_suite(
    suite: Path,
    limited: Path,
    *,
    originals: int | None,
    pairs_per_attribute: int | None,
    combinations: int | None,
    tests: int | None,
    seed: int,
    controls: Path | None = None,
) -> None:
    """Write the rows of the suite that are within the limits, in its order.

    Originals and pairs are sampled in the same order as in the suite, so that the sample of a
    smaller limit is part of that of a larger one. So are `combinations` of attributes in each
    original, of those with a valid mutant of its highest order; their mutants stay with all
    sub-mutants. The first originals are taken that together have at most `tests` valid mutants,
    without controls; an original is taken whole or not at all. None is no limit. Mutants sampled
    from higher orders stay with their originals.

    The study's `controls`, if it has any, are those of the mutants that stay. Raises `InputError`
    if the first original alone has more than `tests` valid mutants.
    """
    connection = open_database()
    connection.execute(
        f"""
        CREATE VIEW whole AS FROM read_parquet('{suite}');
        CREATE VIEW mutants AS FROM whole WHERE NOT control;
        CREATE VIEW eligible AS SELECT * EXCLUDE control FROM mutants
        """
    )
    count = sample_originals(connection, originals=originals, seed=seed)
    connection.execute("CREATE VIEW asked AS SELECT original_id FROM tested")
    if originals is not None and count < originals:
        logging.warning(
            "a limit of %d originals: %s has only %d, and all are used", originals, suite, count
        )

    def sampled() -> Iterator[duckdb.DuckDBPyRelation]:
        for rows in sampled_rows(connection, pairs_per_attribute=pairs_per_attribute, seed=seed):
            chosen = _OF_COMBINATIONS.format(seed=seed, combinations=combinations)
            yield rows if combinations is None else rows.query("listed", chosen)

    if tests is not None:
        _take_tests(connection, sampled(), suite=suite, tests=tests)
    with RowGroups(limited, schema=pq.read_schema(suite).remove_metadata()) as written:
        for rows in sampled():
            table = rows.to_arrow_table()
            if controls is not None:
                connection.register("kept", table)
                table = connection.sql(_WITH_CONTROLS.format(controls=controls)).to_arrow_table()
            written.write(table.cast(written.schema))


def _take_tests(
    connection: duckdb.DuckDBPyConnection,
    sampled: Iterable[duckdb.DuckDBPyRelation],
    *,
    suite: Path,
    tests: int,
) -> None:
    """Keep in the table `tested` the first originals that together have at most `tests` tests."""
    sizes = Counter[str]()
    for rows in sampled:
        sizes.update(dict(rows.aggregate("original_id, count(*) FILTER (valid)").fetchall()))
    ranked = connection.execute("SELECT original_id FROM tested ORDER BY rank").fetchall()
    totals = [*accumulate(sizes[original_id] for (original_id,) in ranked)]
    taken = sum(total <= tests for total in totals)
    if not taken:
        least = totals[0] if totals else 0
        raise InputError(
            where=f"configuration, key 'limits', for {suite}",
            found=f"a limit of {tests} tests",
            expected=f"at least {least}, the valid mutants of the first original",
            fix="Raise `tests`, or lower `pairs_per_attribute`.",
        )
    connection.execute(f"DELETE FROM tested WHERE rank > {taken}")


_OF_COMBINATIONS = """
    WITH largest AS (
        SELECT DISTINCT original_id, attributes FROM listed WHERE valid
        QUALIFY "order" = max("order") OVER (PARTITION BY original_id)
    ),
    taken AS (
        SELECT original_id, string_split(attributes, '+') AS combination FROM largest
        QUALIFY row_number() OVER (
            PARTITION BY original_id
            ORDER BY md5('{seed}:' || original_id || attributes), attributes
        ) <= {combinations}
    )
    SELECT * FROM listed WHERE EXISTS (
        FROM taken WHERE taken.original_id = listed.original_id
        AND list_has_all(combination, string_split(attributes, '+'))
    )
    ORDER BY original_id, "order", attributes, mutant_id
"""

# The rows of a block with those of their controls, sorted. Controls come with their sub-mutants.
_WITH_CONTROLS = f"""
    WITH of_block AS (FROM whole WHERE control AND {OF_BLOCK}),
    matched AS (
        SELECT unnest([control_id, neutral_id]) AS mutant_id
        FROM (SELECT *, mutant_id AS input_id FROM read_parquet('{{controls}}'))
        WHERE {INPUTS_OF_BLOCK} AND mutant_id IN (SELECT mutant_id FROM kept)
    ),
    named AS (
        SELECT part_id(original_id, pair_ids, part) AS mutant_id
        FROM (
            SELECT original_id, pair_ids, unnest(parts(pair_ids)) AS part
            FROM of_block SEMI JOIN matched USING (mutant_id)
        )
    )
    FROM kept UNION ALL BY NAME FROM (FROM of_block SEMI JOIN named USING (mutant_id))
    ORDER BY original_id, "order", attributes, mutant_id
"""
