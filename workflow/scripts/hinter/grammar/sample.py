"""The texts whose grammar is scored: a balanced sample of originals and of their mutants."""

from collections.abc import Iterable
from pathlib import Path

from ..database import open_database

# Each order has an equal part of the sample, and so has each combination of attributes within an
# order. Rows with the smallest hashes are sampled.
VIEWS = """
    CREATE VIEW mutants AS
        SELECT mutant_id, original_id, "order", attributes, pair_ids, edits, valid
        FROM read_parquet('{suite}') WHERE valid IS NOT NULL AND sampled IS NULL AND NOT control;
    CREATE TABLE combinations AS
        SELECT attributes,
            count(*) OVER (PARTITION BY "order") * count(DISTINCT "order") OVER () AS parts
        FROM (SELECT DISTINCT "order", attributes FROM mutants);
    CREATE TABLE originals AS
        SELECT attributes, original_id
        FROM (SELECT DISTINCT attributes, original_id FROM mutants)
        JOIN combinations USING (attributes)
        QUALIFY row_number() OVER (
            PARTITION BY attributes ORDER BY md5('{seed}:' || original_id), original_id
        ) * parts <= {originals};
"""
# Each combination is sampled by a query of its own: a window function would hold all rows at once.
SAMPLE_QUERY = """
    (
        FROM mutants SEMI JOIN originals USING (attributes, original_id)
        WHERE valid = {valid} {chosen}
    )
"""
OF_COMBINATION = """
    AND attributes = '{attributes}' ORDER BY md5('{seed}:' || mutant_id), mutant_id LIMIT {size}
"""
NONE = "(FROM mutants WHERE false)"
SAMPLE = """
    COPY (
        FROM ({sampled}) ORDER BY original_id, "order", attributes, mutant_id
    ) TO '{sample}' (FORMAT parquet, COMPRESSION zstd)
"""
ALL = 1 << 62


def sample_texts(
    suite: Path,
    sample: Path,
    *,
    originals: int | None,
    valid: int | None,
    discarded: int | None,
    seed: int,
) -> None:
    """Write the mutants of a suite whose grammar is scored, in the format of the mutants file.

    At most `valid` valid and `discarded` discarded mutants of at most `originals` originals are
    sampled by seeded hash; None takes all. Each order gets an equal part of these numbers, and each
    combination of attributes an equal part of its order's. Mutants of orders that were sampled when
    they were made are left out.
    """
    connection = open_database()
    most = ALL if originals is None else originals
    connection.execute(VIEWS.format(suite=suite, seed=seed, originals=most))
    combinations = connection.execute("FROM combinations ORDER BY attributes").fetchall()
    sampled = [
        SAMPLE_QUERY.format(valid=is_valid, chosen=chosen)
        for is_valid, size in {True: valid, False: discarded}.items()
        for chosen in _chosen(size, combinations, seed=seed)
    ]
    connection.execute(SAMPLE.format(sampled=" UNION ALL ".join([NONE, *sampled]), sample=sample))


def _chosen(size: int | None, combinations: Iterable[tuple[str, int]], *, seed: int) -> list[str]:
    """Return the conditions of the queries: one for all, or one per combination."""
    if size is None:
        return [""]
    return [
        OF_COMBINATION.format(attributes=attributes, seed=seed, size=size // parts)
        for attributes, parts in combinations
    ]
