"""Sample the mutants that are added to a training split, for results/augmented."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from ..database import open_database
from ..errors import InputError
from ..mutation import RECIPE_SCHEMA

AUGMENTED_SCHEMA = pa.schema([*RECIPE_SCHEMA, ("labels", pa.list_(pa.string()))])
"""`labels` are those of the original. Repeated originals have recipes of order 0, without pairs."""

# Combinations of attributes take turns in an original, so that even small ones are sampled.
SAMPLE_QUERY = """
    WITH eligible AS (
        SELECT mutants.*, labels, md5($seed || ':' || mutant_id) AS key
        FROM read_parquet($mutants) AS mutants
        JOIN (SELECT original_id, labels FROM read_parquet($corpus) WHERE NOT tested)
            USING (original_id)
        WHERE valid AND sampled IS NULL
            AND list_has_all($attributes, string_split(attributes, '+'))
    ),
    in_turn AS (
        SELECT *, row_number() OVER (
            PARTITION BY original_id, operator, attributes ORDER BY key, mutant_id
        ) AS turn
        FROM eligible
    )
    FROM in_turn QUALIFY row_number() OVER (
        PARTITION BY original_id ORDER BY turn, key, mutant_id
    ) <= $per_original
"""
COUNTERFACTUALS = """
    SELECT mutant_id, original_id, "order", attributes, pair_ids, operator, edits, one_person,
        labels
    FROM ({sampled}) ORDER BY original_id, "order", attributes, mutant_id
"""
ORIGINALS = """
    SELECT original_id AS mutant_id, original_id, 0 AS "order", '' AS attributes, [] AS pair_ids,
        NULL AS operator, [] AS edits, NULL AS one_person, labels
    FROM ({sampled}) ORDER BY original_id
"""


def sample_augmentation(
    mutants: Sequence[Path],
    *,
    corpus: Path,
    texts: str,
    per_original: int,
    attributes: Sequence[str],
    seed: int,
) -> pa.Table:
    """Return the recipes of the texts that are added to a training split, sorted.

    `mutants` are files with the mutants of the split's texts. From the valid ones that change only
    these `attributes`, at most `per_original` are sampled for each original, by seeded hash and
    evenly over combinations of attributes. Mutants of tested originals are excluded. `texts` is
    `counterfactuals`, or `originals` to add the original instead of each sampled mutant.

    Raises `InputError` if there is no such mutant.
    """
    query = {"counterfactuals": COUNTERFACTUALS, "originals": ORIGINALS}[texts]
    values = {
        "mutants": [str(path) for path in mutants],
        "corpus": str(corpus),
        "attributes": list(attributes),
        "per_original": per_original,
        "seed": str(seed),
    }
    found = open_database().sql(query.format(sampled=SAMPLE_QUERY), params=values)
    table: pa.Table = found.to_arrow_table()
    if not len(table):
        raise InputError(
            where=str(corpus),
            found="no valid mutant of a training text that is not tested",
            expected="at least one, for the model's `augment`",
            fix="Train on more texts that are not tested (`splits` in the datasets sheet).",
        )
    return table.cast(AUGMENTED_SCHEMA)
