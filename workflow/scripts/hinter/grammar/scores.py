"""The score of every sampled text: results/grammar/{dataset}.parquet."""

import logging
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..job import progress_bar
from ..mutation import Mutant
from ..provenance import digest_of
from ..responses import Asker, Block, ResponseStore, SuiteShard
from .checker import GrammarChecker
from .units import split_units

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
    asker = Asker(checker, store)
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
    return [
        _to_row(
            text,
            tokens=sum(tokens[unit] for unit in parts),
            matches=[matches.get(unit) for unit in parts],
        )
        for text, parts in zip(texts, units, strict=True)
    ]


def _to_row(text: dict[str, Any], *, tokens: int, matches: list[int | None]) -> dict[str, Any]:
    known = [count for count in matches if count is not None]
    total = sum(known) if len(known) == len(matches) else None
    score = None if total is None else score_of(matches=total, tokens=tokens)
    return text | {"tokens": tokens, "matches": total, "score": score}


def score_of(*, matches: int, tokens: int) -> float:
    """Return 100 * (1 - matches / tokens), at least 0, rounded to six decimals."""
    return round(100 * max(0.0, 1 - matches / tokens), 6)


@cache
def _tokenizer() -> Any:
    # The import takes seconds, and only scores need it.
    import spacy

    return spacy.blank("en").tokenizer
