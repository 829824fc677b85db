"""The texts that are added to a training split: sampled as recipes, and made from these."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import Text, read_split
from ..database import open_database
from ..errors import InputError
from ..mutation import RECIPE_SCHEMA, Mutant

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


EXPORTED = ("mutant_id", "original_id", "labels", "pair_ids", "edits")
"""The columns of a recipe that are exported with its texts."""


def added_texts(recipes: Path, *, corpus: Path) -> list[Text]:
    """Return the texts that the Parquet `recipes` make from training texts, with their labels."""
    return [
        Text(row["mutant_id"], text, tuple(row["labels"]))
        for row, _, text in _rendered(recipes, corpus=corpus)
    ]


def export_texts(recipes: Path, lines: Path, *, corpus: Path) -> None:
    """Write the Parquet `recipes` to JSON `lines`, with the `original` and the `text` of each."""
    with lines.open("w", encoding="utf-8", newline="\n") as file:
        for row, original, text in _rendered(recipes, corpus=corpus):
            record = {name: row[name] for name in EXPORTED} | {"original": original, "text": text}
            file.write(f"{json.dumps(record, ensure_ascii=False)}\n")


def _rendered(recipes: Path, *, corpus: Path) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield each recipe with its original and the text that it makes from this."""
    originals = {text.original_id: text.text for text in read_split(corpus, split="training")}
    for row in pq.read_table(recipes).to_pylist():
        original = originals[row["original_id"]]
        yield row, original, Mutant.of_row(row, original).text
