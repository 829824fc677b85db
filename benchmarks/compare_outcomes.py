"""Count the outcomes of the default study's models that differ between batches and single texts.

`.venv/bin/python benchmarks/compare_outcomes.py` after `make study`: one JSON line. Texts are short
reviews and their valid mutants, drawn at random. Each model is asked about one text at a time, and
about many in batches of several sizes.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
from corpus import SEED, read_entries, valid_mutants
from hinter.corpora import read_split
from hinter.models import Model
from hinter.models.labelled import close_rows
from inference_models import (
    copy_encoder,
    open_encoder,
    prepare_prompted,
    responses_of,
    shuffled,
    write_default_corpus,
)
from isa import machine, parse_arguments
from numpy.random import default_rng
from tqdm import tqdm

BATCH_TOKENS = [256, 2048, 8192, 32768]
GENERATED = 10
"""One text in so many is answered in words."""


def main(*, count: int) -> None:
    """Print the record."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        corpus = write_default_corpus(folder / "imdb.parquet")
        short = read_split(corpus, split="tested")[:count]
        _, mutants = valid_mutants(short)
        texts = shuffled([*(text.text for text in short), *mutants])[:count]
        copy_encoder(folder / "encoder")
        prompted = prepare_prompted(folder / "llm", corpus=corpus)
        encoder = partial(open_encoder, folder / "encoder", read_entries("models")["minilm"])
        record = {
            **count_changes("encoder_", encoder, texts),
            **count_changes("llm_", prompted.scoring, texts),
            **count_changes("llm_generated_", prompted.generating, texts[: count // GENERATED]),
        }
    print(json.dumps(record | machine()))


def count_changes(
    prefix: str, open_with: Callable[..., Model], texts: Sequence[str]
) -> dict[str, Any]:
    """Count responses in batches of several sizes that differ from those to single texts.

    A response whose decision is close is computed again, alone; these are counted, too.
    """
    model = open_with()
    alone = [
        response
        for text in tqdm(texts, unit=" texts", disable=None)
        for response in responses_of(model, [text])
    ]
    sizes = default_rng(SEED).permutation(BATCH_TOKENS).tolist()
    together: list[str] = []
    again: list[int] = []
    for size, part in zip(sizes, np.array_split(np.arange(len(texts)), len(sizes)), strict=True):
        model = open_with(batch_tokens=size)
        with _close_rows_noted(model, again):
            together += responses_of(model, [texts[position] for position in part])
    return {
        f"{prefix}outcomes_compared": len(texts),
        f"{prefix}outcomes_changed_by_batching": sum(map(str.__ne__, alone, together)),
        f"{prefix}computed_again": sum(again),
    }


@contextmanager
def _close_rows_noted(model: Model, noted: list[int]) -> Iterator[None]:
    """Note how many responses the model computes again."""

    def noting(*arguments: Any, **settings: Any) -> list[int]:
        rows = close_rows(*arguments, **settings)
        noted.append(len(rows))
        return rows

    with patch.object(sys.modules[type(model).__module__], "close_rows", noting):
        yield


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400, help="texts")
    main(**parse_arguments(parser))
