"""Write sources and follow-ups as files: a corpus, its suite, and the origin of each follow-up."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..corpora import CORPUS_SCHEMA, TESTED, text_id, write_rows
from ..errors import InputError
from ..oracle import WRITTEN_SUITE_SCHEMA
from .catalogue import RELATIONS
from .prompt import Prompt, render

NAMES = ("mutant_id", "relation", "family", "source_id", "source_attributes", "template", "text")
FOLLOW_UPS_SCHEMA = pa.schema([(name, pa.string()) for name in NAMES])
"""The columns of results/relations/follow_ups.parquet: a row per row of the suite."""


def write_follow_ups(
    sources: Sequence[Prompt], *, corpus: Path, suite: Path, follow_ups: Path
) -> dict[str, int]:
    """Write the follow-ups of sources as a suite, and the prompts they are compared with as corpus.

    The suite has the texts of its mutants, and their `kinds` is the relation that makes them.
    `follow_ups` has more columns about each. All are sorted Parquet files. Returns the numbers of
    sources, of prompts in the corpus and of follow-ups. Raises `InputError` if two sources have the
    same text.
    """
    texts = [render(source) for source in sources]
    _check_distinct(texts, sources=sources)
    originals = {text_id(text): text for text in texts}
    rows: list[dict[str, Any]] = []
    for source, text in zip(sources, texts, strict=True):
        for relation in RELATIONS.values():
            original = relation.original(source)
            compared = render(original) if relation.from_bare else text
            about = {
                "source_id": text_id(text),
                "source_attributes": _joined(trait.name for trait in source.traits),
                "template": source.name,
                "relation": relation.name,
                "family": relation.family,
            }
            made = [
                _row(follow_up, original=original, compared=compared, about=about)
                for follow_up in relation.follow_ups(source)
            ]
            rows += made
            originals |= {row["original_id"]: compared for row in made}
    rows.sort(key=itemgetter("mutant_id"))
    write_rows(suite, rows, WRITTEN_SUITE_SCHEMA)
    write_rows(follow_ups, rows, FOLLOW_UPS_SCHEMA)
    asked = [
        {"original_id": key, "split": TESTED, "tested": True, "text": originals[key], "labels": []}
        for key in sorted(originals)
    ]
    write_rows(corpus, asked, CORPUS_SCHEMA)
    return {"sources": len(sources), "prompts": len(originals), "follow_ups": len(rows)}


def _check_distinct(texts: Sequence[str], *, sources: Sequence[Prompt]) -> None:
    first: dict[str, Prompt] = {}
    for text, source in zip(texts, sources, strict=True):
        if text in first:
            raise InputError(
                where=f"prompts, templates '{first[text].name}', '{source.name}'",
                found=f"'{text}' from both",
                expected="sources that differ from each other",
                fix="Reword or remove one of the templates.",
            )
        first[text] = source


def _row(
    follow_up: Prompt, *, original: Prompt, compared: str, about: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the row of a follow-up, with its replaced values as pairs."""
    pairs = _pairs(original, follow_up)
    original_id = text_id(compared)
    return {
        **about,
        "mutant_id": "|".join(
            [original_id, about["relation"], about["source_id"], *pairs.values()]
        ),
        "original_id": original_id,
        "order": len(pairs),
        "attributes": _joined(pairs),
        "pair_ids": list(pairs.values()),
        "valid": True,
        "control": False,
        "text": render(follow_up),
        "kinds": [about["relation"]],
    }


def _pairs(original: Prompt, follow_up: Prompt) -> dict[str, str]:
    """Return the pair_id of each changed attribute; one side of it may be empty."""
    before, after = (
        {trait.name: trait.value for trait in prompt.traits} for prompt in (original, follow_up)
    )
    return {
        name: f"{name}:{before.get(name, '')}>{after.get(name, '')}".replace(" ", "_")
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    }


def _joined(attributes: Iterable[str]) -> str:
    return "+".join(sorted(attributes))
