"""The suite: which valid mutants the models are run on."""

from pathlib import Path

import duckdb

from ..errors import InputError

COLUMNS = 'mutant_id, original_id, "order", attributes, pair_ids, valid'


def select_suite(
    mutants: Path,
    suite: Path,
    *,
    originals: int | None,
    mutants_per_original: int | None,
    seed: int,
) -> None:
    """Write the valid mutants to run, sorted, in the form of the mutants file.

    Drawn are `originals` originals that have a valid intersectional mutant (atomic, where the
    study makes no others), and of each of their orders `mutants_per_original` valid ones, both by
    seeded hash. With every drawn mutant come its valid sub-mutants. None stands for all, and all
    mutants of an original include the atomic ones that no intersectional one needs. Raises
    `InputError` where there is nothing to draw.
    """
    connection = duckdb.connect()
    connection.execute(
        f"""
        CREATE VIEW mutants AS FROM read_parquet('{mutants}');
        CREATE VIEW valid AS SELECT {COLUMNS} FROM mutants WHERE valid;
        CREATE TABLE drawn AS
            SELECT {COLUMNS} FROM valid
            WHERE "order" >= (SELECT least(2, max("order")) FROM mutants)
            QUALIFY dense_rank() OVER (ORDER BY md5('{seed}:' || original_id), original_id)
                <= {_limit(originals)}
        """
    )
    connection.execute(
        f"CREATE TABLE chosen AS {_ALL}"
        if mutants_per_original is None
        else f"CREATE TABLE chosen AS {_with_sub_mutants(mutants_per_original, seed=seed)}"
    )
    (rows,) = connection.execute("SELECT count(*) FROM drawn").fetchall()[0]
    if not rows:
        raise InputError(
            where=str(mutants),
            found="no valid mutant to test",
            expected="at least one valid intersectional mutant (atomic, if only order 1 is made)",
            fix="Test more texts (`splits` in the datasets sheet), or add terms to the dictionary.",
        )
    connection.execute(
        f"""
        COPY (SELECT {COLUMNS} FROM valid SEMI JOIN chosen USING (mutant_id)
              ORDER BY original_id, "order", attributes, mutant_id)
        TO '{suite}' (FORMAT parquet, COMPRESSION zstd)
        """
    )


_ALL = "SELECT mutant_id FROM valid SEMI JOIN drawn USING (original_id)"


def _with_sub_mutants(count: int, *, seed: int) -> str:
    return f"""
        WITH kept AS (
            SELECT * FROM drawn
            QUALIFY row_number() OVER (
                PARTITION BY original_id, "order" ORDER BY md5('{seed}:' || mutant_id), mutant_id
            ) <= {count}
        ),
        masked AS (
            SELECT original_id, pair_ids, unnest(range(1, 1 << "order")) AS mask FROM kept
        )
        SELECT DISTINCT original_id || '|' || {joined_subset("pair_ids", "mask")} AS mutant_id
        FROM masked
    """


def joined_subset(pair_ids: str, mask: str) -> str:
    """Return the SQL expression that joins the pair_ids whose bits are set in `mask`.

    With `original_id || '|'` before it, this is a mutant_id.
    """
    kept = f"list_filter({pair_ids}, lambda pair, i: ({mask} >> (i - 1)) & 1 = 1)"
    return f"array_to_string({kept}, '|')"


def _limit(count: int | None) -> str:
    return "9223372036854775807" if count is None else str(count)
