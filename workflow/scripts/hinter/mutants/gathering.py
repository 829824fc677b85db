"""The samples of separate jobs on a dataset, merged as if one job had drawn them."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from ..database import open_database
from .listing import MUTANTS_SCHEMA

# The drawn mutants of each operator with the smallest keys over all shards, each with its
# sub-mutants; a mutant that is there several times is kept once.
SAMPLE = """
    WITH rows AS (FROM read_parquet({shards})),
    chosen AS (
        SELECT operator, "order", key FROM rows WHERE drawn
        QUALIFY row_number() OVER (
            PARTITION BY operator, "order" ORDER BY key, mutant_id
        ) <= {size}
    )
    SELECT rows.* EXCLUDE key FROM rows SEMI JOIN chosen USING (operator, key)
    QUALIFY row_number() OVER (PARTITION BY mutant_id ORDER BY drawn DESC) = 1
    ORDER BY original_id, "order", attributes, mutant_id
"""


def merge_samples(paths: Sequence[Path], *, size: int) -> pa.Table:
    """Return the sample of a whole dataset (rows of the mutants file), given its shards'."""
    query = SAMPLE.format(shards=[str(path) for path in paths], size=size)
    merged: pa.Table = open_database().sql(query).to_arrow_table()
    return merged.cast(MUTANTS_SCHEMA)
