"""Sources and follow-ups as files, in the forms of a corpus and of a suite of its mutants."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..blocks import RowGroups
from ..corpora import CORPUS_SCHEMA, TESTED, TEXTS_AT_ONCE, text_id
from ..errors import InputError
from ..mutation import RECIPE_SCHEMA
from .prompt import Prompt
from .relation import relations
from .rendering import render

SUITE_SCHEMA = pa.schema(
    [
        *RECIPE_SCHEMA,
        ("valid", pa.bool_()),
        ("drawn", pa.bool_()),
        ("control", pa.bool_()),
        ("relation", pa.string()),
        ("family", pa.string()),
        ("source_id", pa.string()),
        ("source_attributes", pa.string()),
        ("template", pa.string()),
        ("text", pa.string()),
    ]
)
"""The columns of results/suites, then those of follow-ups alone."""


def write_follow_ups(sources: Sequence[Prompt], *, corpus: Path, suite: Path) -> None:
    """Write the follow-ups of sources as a suite, and what they are compared with as its corpus.

    Both are sorted Parquet files. Raises `InputError` where two sources have the same text.
    """
    texts = [render(source) for source in sources]
    _check_distinct(texts, sources=sources)
    originals = {text_id(text): text for text in texts}
    rows: list[dict[str, Any]] = []
    for source, text in zip(sources, texts, strict=True):
        for family, relation in relations().values():
            original = relation.original(source)
            compared = render(original) if relation.from_bare else text
            about = _about(source, text) | {"relation": relation.name, "family": family}
            made = [
                _row(follow_up, original=original, compared=compared, about=about)
                for follow_up in relation.follow_ups(source)
            ]
            rows += made
            originals |= {row["original_id"]: compared for row in made}
    rows.sort(key=itemgetter("mutant_id"))
    with RowGroups(suite, schema=SUITE_SCHEMA) as written:
        written.write(pa.Table.from_pylist(rows, schema=SUITE_SCHEMA))
    pq.write_table(_corpus(originals), corpus, compression="zstd", row_group_size=TEXTS_AT_ONCE)


def _check_distinct(texts: Sequence[str], *, sources: Sequence[Prompt]) -> None:
    first: dict[str, Prompt] = {}
    for text, source in zip(texts, sources, strict=True):
        if text in first:
            raise InputError(
                where=f"prompts, templates '{first[text].template.name}', '{source.template.name}'",
                found=f"'{text}' from both",
                expected="sources that differ from each other",
                fix="Reword or remove one of the templates.",
            )
        first[text] = source


def _about(source: Prompt, text: str) -> dict[str, Any]:
    """Return the columns about a source."""
    return {
        "source_id": text_id(text),
        "source_attributes": _joined(slot.attribute.name for slot in source.slots),
        "template": source.template.name,
    }


def _row(
    follow_up: Prompt, *, original: Prompt, compared: str, about: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the row of a follow-up, whose pairs are the values that it has in place of others."""
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
    }


def _pairs(original: Prompt, follow_up: Prompt) -> dict[str, str]:
    """Return the pair_id of each attribute that is changed; one side of it may be empty."""
    before, after = (
        {slot.attribute.name: slot.value.name for slot in prompt.slots}
        for prompt in (original, follow_up)
    )
    return {
        name: f"{name}:{before.get(name, '')}>{after.get(name, '')}".replace(" ", "_")
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name)
    }


def _joined(attributes: Iterable[str]) -> str:
    return "+".join(sorted(attributes))


def _corpus(originals: Mapping[str, str]) -> pa.Table:
    rows = [
        {"original_id": key, "split": TESTED, "tested": True, "text": originals[key], "labels": []}
        for key in sorted(originals)
    ]
    return pa.Table.from_pylist(rows, schema=CORPUS_SCHEMA)
