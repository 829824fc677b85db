"""Sample the mutants by which the plan of a large suite is estimated."""

from pathlib import Path

from ..database import open_database

EXACT_MUTANTS = 20_000
"""A suite with at most so many mutants is planned exactly."""
SAMPLED = 10_000
"""Sample size for each order, and for controls. It is smaller than `EXACT_MUTANTS`."""

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
    """Sample mutants of a suite, write their rows to the Parquet `sample` and return their weights.

    A weight is the number of mutants of the same order (or of controls) that one stands for, which
    is 1 if all were sampled. Without `discarded`, discarded mutants are left out. If the suite is
    small enough to be planned exactly, nothing is written and None is returned.
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
