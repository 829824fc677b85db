"""The mutants by which the plan of a large suite is estimated."""

from pathlib import Path

from ..database import open_database

EXACT_MUTANTS = 20_000
"""A suite with at most so many mutants is planned exactly."""
SAMPLED = 10_000
"""Mutants that are drawn of each order, and of controls. They are fewer than `EXACT_MUTANTS`."""

# The smallest of seeded hashes are a uniform sample, whatever the order of the rows.
DRAWN = """
    SELECT unnest(arg_min(mutant_id, md5('{seed}:' || mutant_id), {size})) AS mutant_id,
        count(*) / least(count(*), {size}) AS weight
    FROM read_parquet('{suite}') WHERE valid OR {discarded}
    GROUP BY control, if(control, NULL, "order")
"""


def sample_mutants(
    suite: Path, sample: Path, *, discarded: bool, seed: int
) -> dict[str, float] | None:
    """Draw some mutants of a suite, write their rows to the Parquet `sample` and return them.

    Each comes with its weight: how many mutants of its order (or how many controls) it stands for,
    which is 1 where all were drawn. Without `discarded`, discarded mutants are left out. Returns
    None, and writes nothing, for a suite small enough to be planned exactly.
    """
    connection = open_database()
    mutants = f"FROM read_parquet('{suite}') WHERE valid OR {discarded}"
    (count,) = connection.execute(f"SELECT count(*) {mutants}").fetchall()[0]
    if count <= EXACT_MUTANTS:
        return None
    drawn = DRAWN.format(suite=suite, discarded=discarded, seed=seed, size=SAMPLED)
    connection.execute(
        f"""
        CREATE TABLE drawn AS {drawn};
        COPY (
            FROM read_parquet('{suite}') SEMI JOIN drawn USING (mutant_id)
            ORDER BY original_id, mutant_id
        ) TO '{sample}' (FORMAT parquet, COMPRESSION zstd)
        """
    )
    return dict(connection.execute("FROM drawn").fetchall())
