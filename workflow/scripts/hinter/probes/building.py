"""The prompts of a probe as files: a corpus, its suite, and what each prompt tells."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, starmap
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..corpora import CORPUS_SCHEMA, TEXTS_AT_ONCE, text_id
from ..errors import InputError
from ..oracle import WRITTEN_SUITE_SCHEMA
from .probe import BasePrompt, Counterfactual

PROMPTS_SCHEMA = pa.schema(
    [
        ("input_id", pa.string()),
        ("original_id", pa.string()),
        ("kinds", pa.list_(pa.string())),
        ("facts", pa.map_(pa.string(), pa.string())),
    ]
)
"""The columns of results/probes/{probe}.parquet: a row per base prompt and per counterfactual."""

SORTED_BY = ("input_id", "original_id", "order", "attributes", "mutant_id")


def build_probe(prompts: Sequence[BasePrompt], *, corpus: Path, suite: Path, told: Path) -> None:
    """Write base prompts to the Parquet `corpus`, counterfactuals to `suite`, facts to `told`.

    Corpus and suite have the form of a dataset's, but mutants are written out: their `text` stands
    in the suite, and their `kinds` beside it. Raises `InputError` for a prompt that is there twice.
    """
    by_id = {text_id(prompt.text): prompt for prompt in prompts}
    _check_distinct(prompts, distinct=len(by_id))
    asked = {key: prompt for key, prompt in by_id.items() if prompt.split == "tested"}
    _write(corpus, (_text(key, prompt) for key, prompt in by_id.items()), CORPUS_SCHEMA)
    _write(suite, chain.from_iterable(starmap(_mutants, asked.items())), WRITTEN_SUITE_SCHEMA)
    _write(told, chain.from_iterable(starmap(_told, asked.items())), PROMPTS_SCHEMA)


def _write(path: Path, rows: Iterable[dict[str, Any]], schema: pa.Schema) -> None:
    keys = [name for name in SORTED_BY if name in schema.names]
    ordered = sorted(rows, key=lambda row: [row[key] for key in keys])
    table = pa.Table.from_pylist(ordered, schema=schema)
    pq.write_table(table, path, compression="zstd", row_group_size=TEXTS_AT_ONCE)


def _check_distinct(prompts: Sequence[BasePrompt], *, distinct: int) -> None:
    if distinct < len(prompts):
        raise InputError(
            where="prompts of the probe",
            found=f"{len(prompts)} prompts of which {distinct} are distinct",
            expected="distinct prompts",
            fix="Leave out rows and sentences that make the same prompt.",
        )


def _text(original_id: str, prompt: BasePrompt) -> dict[str, Any]:
    return {
        "original_id": original_id,
        "split": prompt.split,
        "tested": prompt.split == "tested",
        "text": prompt.text,
        "labels": prompt.labels,
    }


def _mutants(original_id: str, prompt: BasePrompt) -> Iterator[dict[str, Any]]:
    for each in prompt.counterfactuals:
        pair_ids = _pair_ids(prompt, each)
        yield {
            "mutant_id": "|".join([original_id, *pair_ids]),
            "original_id": original_id,
            "order": len(pair_ids),
            "attributes": "+".join(pair_id.partition(":")[0] for pair_id in pair_ids),
            "pair_ids": pair_ids,
            "valid": True,
            "control": each.control,
            "text": each.text,
            "kinds": each.kinds,
        }


def _told(original_id: str, prompt: BasePrompt) -> Iterator[dict[str, Any]]:
    unchanged = Counterfactual({}, prompt.text, ())
    for each in (unchanged, *prompt.counterfactuals):
        facts = {**prompt.facts, **each.changed}
        yield {
            "input_id": "|".join([original_id, *_pair_ids(prompt, each)]),
            "original_id": original_id,
            "kinds": each.kinds,
            "facts": sorted(facts.items()),
        }


def _pair_ids(prompt: BasePrompt, each: Counterfactual) -> list[str]:
    """Return what is changed, in the order of attributes, as the word pairs of a mutant."""
    return [
        f"{name}:{prompt.facts[name]}>{value}".replace(" ", "_")
        for name, value in sorted(each.changed.items())
    ]
