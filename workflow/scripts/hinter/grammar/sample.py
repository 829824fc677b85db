"""Which texts are scored: originals with their valid and discarded mutants, evenly of each kind."""

from pathlib import Path

from ..database import open_database

# Attributes share a size evenly within their order, and orders share it evenly; the smallest
# hashes are drawn.
SAMPLE = """
    COPY (
        WITH mutants AS (
            SELECT mutant_id, original_id, "order", attributes, pair_ids, valid
            FROM read_parquet('{suite}') WHERE valid IS NOT NULL AND drawn IS NULL
        ),
        kinds AS (
            SELECT "order", attributes,
                count(*) OVER (PARTITION BY "order") * count(DISTINCT "order") OVER () AS parts
            FROM (SELECT DISTINCT "order", attributes FROM mutants)
        ),
        originals AS (
            SELECT attributes, original_id
            FROM (SELECT DISTINCT attributes, original_id FROM mutants) JOIN kinds
                USING (attributes)
            QUALIFY row_number() OVER (
                PARTITION BY attributes ORDER BY md5('{seed}:' || original_id), original_id
            ) * parts <= {originals}
        )
        SELECT mutants.*
        FROM mutants JOIN kinds USING ("order", attributes)
            SEMI JOIN originals USING (attributes, original_id)
        QUALIFY row_number() OVER (
            PARTITION BY attributes, valid ORDER BY md5('{seed}:' || mutant_id), mutant_id
        ) * parts <= CASE WHEN valid THEN {valid} ELSE {discarded} END
        ORDER BY original_id, "order", attributes, mutant_id
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
    """Write the mutants of a suite whose grammar is scored, in the form of the mutants file.

    At most `valid` valid and `discarded` discarded ones are drawn by seeded hash, of at most
    `originals` originals; None stands for all. Each order has an equal part of these numbers, and
    each combination of attributes an equal part of its order's. Mutants of sampled orders are left
    out.
    """
    sizes = {"originals": originals, "valid": valid, "discarded": discarded}
    limits = {name: ALL if size is None else size for name, size in sizes.items()}
    query = SAMPLE.format(suite=suite, sample=sample, seed=seed, **limits)
    open_database().execute(query)
