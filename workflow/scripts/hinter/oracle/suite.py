"""The suite: the mutants that the models are run on."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa

from ..blocks import OF_BLOCK, RowGroups, blocks_of_originals
from ..database import open_database
from ..errors import InputError
from ..mutants import SUITE_SCHEMA

WRITTEN_SUITE_SCHEMA = pa.schema(
    [*(field for field in SUITE_SCHEMA), ("text", pa.string()), ("kinds", pa.list_(pa.string()))]
)
"""The columns of a suite of complete texts, results/suites/{probe}.parquet: those of other suites,
the `text` of a mutant that no recipe makes, and `kinds`, which name its relation to the original.
"""
ROWS_AT_ONCE = 250_000
"""About how many mutants are sampled from at once."""


def select_suite(
    mutants: Path,
    suite: Path,
    *,
    originals: int | None,
    pairs_per_attribute: int | None,
    discarded: bool,
    seed: int,
    may_be_empty: bool = False,
) -> None:
    """Write the valid mutants to run, sorted, in the format of the mutants file.

    First, `originals` originals are sampled among those with a valid intersectional mutant (or an
    atomic one, if the study makes no others). Then, from the pairs in their mutants,
    `pairs_per_attribute` are sampled for each attribute and original, of each operator. Both are
    sampled by seeded hash; None takes all. The suite has every valid mutant of sampled pairs. It
    therefore contains the valid sub-mutants of each, and mutants of one combination of attributes
    have equal chances within their original. Mutants sampled from higher orders are added, with
    their valid sub-mutants; `sampled` is false for those sub-mutants that are not in the suite
    themselves.

    `control` is false: controls are matched to these mutants and added later.

    With `discarded`, discarded mutants are sampled and written like valid ones. Raises `InputError`
    if there is nothing to sample, unless the suite `may_be_empty`.
    """
    connection = open_database()
    connection.execute(
        f"""
        CREATE VIEW mutants AS FROM read_parquet('{mutants}');
        CREATE VIEW eligible AS SELECT * EXCLUDE reason FROM mutants
            WHERE {"valid IS NOT NULL" if discarded else "valid"}
        """
    )
    found = sample_originals(connection, originals=originals, seed=seed)
    if not (found or may_be_empty):
        raise _no_mutant(connection, mutants)
    connection.execute(
        """
        CREATE TABLE asked AS
            SELECT original_id FROM tested
            UNION SELECT original_id FROM eligible WHERE sampled
        """
    )
    with RowGroups(suite, schema=SUITE_SCHEMA) as written:
        for rows in sampled_rows(connection, pairs_per_attribute=pairs_per_attribute, seed=seed):
            written.write(rows.to_arrow_table().cast(SUITE_SCHEMA))


def sample_originals(
    connection: duckdb.DuckDBPyConnection, *, originals: int | None, seed: int
) -> int:
    """Make the table `tested` of originals and ranks, given the views `mutants` and `eligible`.

    A larger sample contains the originals of a smaller one. Returns the number of originals.
    """
    connection.execute(
        f"""
        SET VARIABLE least_order = (
            SELECT least(2, max("order")) FROM mutants WHERE sampled IS NULL
        );
        CREATE TABLE tested AS
            SELECT original_id, row_number() OVER (
                ORDER BY md5('{seed}:' || original_id), original_id
            ) AS rank
            FROM (
                SELECT DISTINCT original_id FROM eligible
                WHERE sampled IS NULL AND "order" >= getvariable('least_order')
            )
            {"" if originals is None else f"QUALIFY rank <= {originals}"}
        """
    )
    return int(connection.table("tested").shape[0])


def sampled_rows(
    connection: duckdb.DuckDBPyConnection, *, pairs_per_attribute: int | None, seed: int
) -> Iterator[duckdb.DuckDBPyRelation]:
    """Yield the rows of a suite, sorted, some originals at a time.

    They are those of the originals in the table `asked`: listed mutants of `tested` originals that
    have only sampled pairs, and sampled mutants with their sub-mutants.
    """
    chosen = _ALL if pairs_per_attribute is None else _of_pairs(pairs_per_attribute, seed=seed)
    connection.execute(
        "CREATE OR REPLACE VIEW wanted AS FROM eligible SEMI JOIN asked USING (original_id)"
    )
    for _ in blocks_of_originals(connection, rows="wanted", at_once=ROWS_AT_ONCE):
        connection.execute(f"CREATE OR REPLACE TABLE present AS FROM wanted WHERE {OF_BLOCK}")
        connection.execute(f"CREATE OR REPLACE TABLE chosen AS {chosen}")
        connection.execute(f"CREATE OR REPLACE TABLE along AS {_SAMPLED}")
        yield connection.sql(_SUITE)


def _no_mutant(connection: duckdb.DuckDBPyConnection, mutants: Path) -> InputError:
    made = connection.view("mutants").shape[0]
    return InputError(
        where=str(mutants),
        found="no valid mutant to test" if made else "no mutant of any text",
        expected="at least one valid intersectional mutant (atomic, if only order 1 is made)",
        fix="Test texts in English that mention persons: `snakemake texts` says what is found in "
        "each, and why the rest is left alone.",
    )


_ALL = "SELECT mutant_id FROM present SEMI JOIN tested USING (original_id) WHERE sampled IS NULL"

_SUITE = """
    SELECT * REPLACE (
        CASE WHEN sampled IS NULL AND mutant_id NOT IN (FROM chosen) THEN false ELSE sampled END
            AS sampled
        ), false AS control
    FROM present
    SEMI JOIN (FROM chosen UNION ALL FROM along) USING (mutant_id)
    ORDER BY original_id, "order", attributes, mutant_id
"""

# Each sampled mutant and all its sub-mutants.
_SAMPLED = """
    SELECT part_id(original_id, pair_ids, part) AS mutant_id
    FROM (SELECT original_id, pair_ids, unnest(parts(pair_ids)) AS part FROM present WHERE sampled)
"""


def _of_pairs(count: int, *, seed: int) -> str:
    return f"""
        WITH occurring AS (
            SELECT DISTINCT original_id, operator, unnest(pair_ids) AS pair_id
            FROM present SEMI JOIN tested USING (original_id)
            WHERE sampled IS NULL AND "order" >= getvariable('least_order')
        ),
        kept AS (
            SELECT * FROM occurring
            QUALIFY row_number() OVER (
                PARTITION BY original_id, operator, split_part(pair_id, ':', 1)
                ORDER BY md5('{seed}:' || original_id || pair_id), pair_id
            ) <= {count}
        ),
        kept_pairs AS (SELECT original_id, list(pair_id) AS pairs FROM kept GROUP BY original_id)
        SELECT mutant_id FROM present JOIN kept_pairs USING (original_id)
        WHERE sampled IS NULL AND list_has_all(pairs, pair_ids)
    """
