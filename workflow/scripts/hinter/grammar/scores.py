"""The balanced sample of originals and mutants whose grammar is scored, and the score of each.

The scores are in results/grammar/{dataset}.parquet.
"""

import logging
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..database import open_database
from ..job import progress_bar
from ..mutation import Mutant
from ..provenance import digest_of
from ..responses import Asker, Block, ResponseStore, SuiteShard
from .checker import GrammarChecker, split_units

GRAMMAR_SCHEMA = pa.schema(
    [
        ("input_id", pa.string()),
        ("original_id", pa.string()),
        ("sample", pa.string()),
        ("order", pa.int8()),
        ("attributes", pa.string()),
        ("tokens", pa.int32()),
        ("matches", pa.int32()),
        ("score", pa.float64()),
    ]
)

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
    sampled = []
    for is_valid, size in {True: valid, False: discarded}.items():
        # One query for all combinations, or one for each.
        chosen = [""]
        if size is not None:
            chosen = [
                OF_COMBINATION.format(attributes=attributes, seed=seed, size=size // parts)
                for attributes, parts in combinations
            ]
        sampled += [SAMPLE_QUERY.format(valid=is_valid, chosen=one) for one in chosen]
    connection.execute(SAMPLE.format(sampled=" UNION ALL ".join([NONE, *sampled]), sample=sample))


def write_scores(
    checker: GrammarChecker,
    *,
    inputs: SuiteShard,
    categories: Collection[str],
    store: ResponseStore,
    scores: Path,
) -> None:
    """Score a shard of the sampled texts, with a progress bar, and write its rows in order.

    `matches` counts the matches of rules of the `categories`, `tokens` counts tokens other than
    white space, and the score is 100 * (1 - matches / tokens), at least 0. Each distinct unit is
    checked once, unless the store has it. If the checker refuses a unit of a text, its matches and
    score are null.
    """
    asker = Asker[list[tuple[str, str]]](checker, store)
    with (
        pq.ParquetWriter(scores, GRAMMAR_SCHEMA, compression="zstd") as writer,
        progress_bar(total=len(inputs), label="grammar", unit=" texts") as bar,
    ):
        for block in inputs.blocks():
            rows: list[dict[str, Any]] = []
            for texts in _groups(block):
                rows += _scored(texts, asker=asker, categories=categories)
                bar.update(len(texts))
            table = pa.Table.from_pylist(rows, schema=GRAMMAR_SCHEMA)
            writer.write_table(table.sort_by("input_id"))
    logging.info(
        "%d texts; %d of their units checked, %d known",
        *(len(inputs), asker.counts["asked"], asker.counts["known"]),
    )


def _groups(block: Block) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows, with `text`, of each original and its mutants, in parts if there are many."""
    texts = {original.original_id: original.text for original in block.originals}
    begun: set[str] = set()
    for rows in block.mutants:
        for original_id, mutants in groupby(rows, key=lambda row: str(row["original_id"])):
            text = texts[original_id]
            itself = {"original_id": original_id, "valid": None, "pair_ids": (), "edits": ()}
            own = [*([] if original_id in begun else [itself]), *mutants]
            yield [_text(row, original=text) for row in own]
            begun.add(original_id)


def _text(row: Mapping[str, Any], *, original: str) -> dict[str, Any]:
    mutant = Mutant.of_row(row, original)
    return {
        "input_id": mutant.mutant_id,
        "original_id": mutant.original_id,
        "sample": {None: "original", True: "valid", False: "discarded"}[row["valid"]],
        "order": len(mutant.pair_ids),
        "attributes": "+".join(mutant.attributes),
        "text": mutant.text,
    }


def _scored(
    texts: list[dict[str, Any]], *, asker: Asker[list[tuple[str, str]]], categories: Collection[str]
) -> list[dict[str, Any]]:
    units = [split_units(text["text"]) for text in texts]
    keys = {unit: digest_of(sentence=unit) for unit in chain.from_iterable(units)}
    asked = {key: unit for unit, key in keys.items()}
    rules = asker.ask(asked, advance=lambda _: None)
    matches = {
        asked[key]: sum(category in categories for category, _ in matched)
        for key, matched in rules.items()
    }
    tokens = {unit: sum(not token.is_space for token in _tokenizer()(unit)) for unit in keys}
    rows = []
    for text, parts in zip(texts, units, strict=True):
        known = [matches[unit] for unit in parts if unit in matches]
        total, count = sum(known), sum(tokens[unit] for unit in parts)
        row = {"matches": total, "score": score_of(matches=total, tokens=count)}
        checked = len(known) == len(parts)
        rows.append({**text, "tokens": count, **(row if checked else dict.fromkeys(row))})
    return rows


def score_of(*, matches: int, tokens: int) -> float:
    """Return 100 * (1 - matches / tokens), at least 0, rounded to six decimals."""
    return round(100 * max(0.0, 1 - matches / tokens), 6)


@cache
def _tokenizer() -> Any:
    # The import takes seconds, and only scores need it.
    import spacy

    return spacy.blank("en").tokenizer
