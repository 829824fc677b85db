"""The part of a suite that some models are run on, where the study limits them."""

import logging
from pathlib import Path

import duckdb

from ..database import open_database
from ..errors import InputError
from .suite import COLUMNS, LARGEST, SAMPLED, SUITE, draw_originals, draw_pairs


def limit_suite(
    suite: Path,
    limited: Path,
    *,
    originals: int | None,
    pairs_per_attribute: int | None,
    tests: int | None,
    seed: int,
    controls: Path | None = None,
) -> None:
    """Write the rows of the suite that keep to the limits, in its order.

    Originals and pairs are drawn in the order in which the suite itself draws them, so that a
    smaller limit has a part of what a larger one has. Of the originals, those come first that have
    at most `tests` valid mutants together, controls not counted; an original is taken whole or not
    at all. None is no limit. Mutants sampled from higher orders stay with their originals.

    The `controls` of the study, where it has any, are those of the mutants that stay. Raises
    `InputError` where the first original alone has more than `tests` valid mutants.
    """
    connection = open_database()
    connection.execute(
        f"""
        CREATE VIEW whole AS FROM read_parquet('{suite}');
        CREATE VIEW mutants AS FROM whole WHERE NOT control;
        CREATE VIEW eligible AS SELECT {COLUMNS} FROM mutants
        """
    )
    draw_originals(connection, originals=originals, seed=seed)
    draw_pairs(connection, pairs_per_attribute=pairs_per_attribute, seed=seed)
    _tell_unused(connection, suite, originals=originals)
    connection.execute(
        f"""
        CREATE TABLE along AS {SAMPLED};
        CREATE TABLE kept AS {SUITE};
        CREATE TABLE taken AS {_TAKEN.format(tests=LARGEST if tests is None else tests)};
        """
    )
    _check_taken(connection, suite, tests=tests)
    connection.execute("DELETE FROM kept WHERE original_id NOT IN (FROM taken)")
    matched = _NONE if controls is None else _CONTROLS.format(controls=controls)
    connection.execute(
        f"COPY ({_LIMITED.format(matched=matched)}) TO '{limited}'"
        " (FORMAT parquet, COMPRESSION zstd)"
    )


def _tell_unused(
    connection: duckdb.DuckDBPyConnection, suite: Path, *, originals: int | None
) -> None:
    ((count,),) = connection.execute("SELECT count(*) FROM tested").fetchall()
    if originals is not None and count < originals:
        logging.warning(
            "a limit of %d originals: %s has %d, which are all used", originals, suite, count
        )


def _check_taken(connection: duckdb.DuckDBPyConnection, suite: Path, *, tests: int | None) -> None:
    if connection.execute("SELECT count(*) FROM taken").fetchall() != [(0,)]:
        return
    ((least,),) = connection.execute(f"SELECT arg_min(tests, rank) FROM ({_COUNTS})").fetchall()
    raise InputError(
        where=f"configuration, key 'limits', for {suite}",
        found=f"a limit of {tests} tests",
        expected=f"at least {least}, the valid mutants of the first original",
        fix="Raise `tests`, or lower `pairs_per_attribute`.",
    )


_COUNTS = """
    SELECT original_id, rank, count(*) FILTER (valid) AS tests
    FROM kept JOIN tested USING (original_id) GROUP BY ALL
"""

_TAKEN = f"""
    SELECT original_id FROM (
        SELECT original_id, sum(tests) OVER (ORDER BY rank) AS total FROM ({_COUNTS})
    )
    WHERE total <= {{tests}}
"""

_NONE = "SELECT NULL::VARCHAR AS mutant_id WHERE false"

# The controls of the mutants that stay with their sub-mutants, which the bits of a mask select.
_CONTROLS = """
    SELECT DISTINCT original_id || '|' || array_to_string(
        list_filter(pair_ids, lambda pair, i: (mask >> (i - 1)) & 1 = 1), '|'
    ) AS mutant_id
    FROM (
        SELECT original_id, pair_ids, unnest(range(1, 1 << "order")) AS mask
        FROM whole
        WHERE control AND mutant_id IN (
            SELECT control_id FROM read_parquet('{controls}')
            SEMI JOIN kept USING (mutant_id)
        )
    )
"""

_LIMITED = """
    FROM kept
    UNION ALL BY NAME FROM (FROM whole WHERE control AND mutant_id IN ({matched}))
    ORDER BY original_id, "order", attributes, mutant_id
"""
