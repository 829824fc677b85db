"""Time models against asking them one text at a time, and count what batching changes.

`.venv/bin/python benchmarks/bench_inference.py` after `make study`: one JSON line. Every speed-up
is a ratio to a loop over single texts in the same process, on the same device, with the Snakefile's
settings of memory, and both sides must have the same outcomes. The loop is timed on texts drawn at
random, half of them before the other side and half after it. Models with and without scores take
turns over the same texts, which shows what scores cost. Encoders read whole reviews, language
models the short ones of the default study. With a CUDA device all models run on it, and one of
BERT-base's shape is measured, too. Nothing else should run on the machine, as other work slows the
loops more than the batches.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
import torch
from compare_outcomes import count_changes
from corpus import (
    SEED,
    add_texts,
    read_entries,
    read_texts,
    resource_folder,
    valid_mutants,
    write_dictionary,
    write_tested,
)
from hinter.corpora import Text, read_split
from hinter.limits import HeldOut
from hinter.models import Model
from hinter.models.endpoint.client import open_endpoint
from hinter.predictions import Opened, write_predictions
from hinter.responses import ResponseStore, SuiteShard
from inference_loops import loop_answers, loop_encoder, loop_labels, time_fixed_batches, time_tokens
from inference_models import (
    Outcomes,
    Prompted,
    copy_encoder,
    open_encoder,
    prepare_prompted,
    responses_of,
    shuffled,
    write_bert,
    write_default_corpus,
)
from isa import machine, parse_arguments
from numpy.random import default_rng
from slow_server import slow_server

# As in workflow/rules/common.smk.
ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
    "MALLOC_TRIM_THRESHOLD_": "10737418240",
    "MALLOC_TOP_PAD_": "268435456",
}

CONCURRENCY = 32
ROUNDS = 3
MUTANTS_PER_ORIGINAL = 9
"""As many of each original as the default study asks language models about."""
GPU_TOKENS, GPU_TEXTS, GPU_LOOPED = 512, 4096, 256


class Sizes(NamedTuple):
    """How many texts are asked about, together and one at a time."""

    reviews: int = 3
    looped: int = 60
    short_reviews: int = 200
    prompts: int = 480
    prompts_looped: int = 16
    generated: int = 48
    generated_looped: int = 12
    calls: int = 480
    calls_looped: int = 16
    scored: int = 250
    scored_prompts: int = 16
    compared: int = 500
    compared_prompts: int = 40
    compared_generated: int = 20

    def scaled(self, factor: float) -> "Sizes":
        """Return the sizes times `factor`."""
        return Sizes(*(max(2, round(factor * size)) for size in self))


class Duel(NamedTuple):
    """Seconds per text of the alternative, and seconds of the other side for all texts."""

    alternative_s: float
    seconds: float
    texts: int

    def record(self, name: str) -> dict[str, Any]:
        """Return what is printed, including the speed-up for all texts."""
        return {
            f"{name}_texts": self.texts,
            f"{name}_seconds": round(self.seconds, 2),
            f"{name}_loop_ms_per_text": round(1000 * self.alternative_s, 2),
            f"{name}_speedup": round(self.alternative_s * self.texts / self.seconds, 2),
        }


def main(*, texts: Path | None, scale: float) -> None:
    """Print the record."""
    sizes = Sizes().scaled(scale)
    minilm = resource_folder("all_minilm_l6_v2")
    with TemporaryDirectory() as name:
        folder = Path(name)
        corpus = write_default_corpus(folder / "imdb.parquet")
        short = read_split(corpus, split="tested")[: sizes.short_reviews]
        rows, mutants = valid_mutants(short)
        sampled = shuffled([*(text.text for text in short), *mutants])
        families = _families(short, rows["original_id"].to_pylist(), mutants)
        copy_encoder(folder / "encoder")
        encoder = partial(open_encoder, folder / "encoder", read_entries("models")["minilm"])
        prompted = prepare_prompted(folder / "llm", corpus=corpus)
        record = {
            **_measure_encoder(read_texts(texts, count=sizes.reviews), sizes=sizes, folder=folder),
            **_measure_prompted(prompted, texts=families, sizes=sizes),
            **_measure_endpoint(prompted, texts=sampled, sizes=sizes),
            **measure_scores("encoder", encoder, sampled[: sizes.scored]),
            **measure_scores("llm", prompted.scoring, sampled[: sizes.scored_prompts]),
            **count_changes("", encoder, sampled[: sizes.compared]),
            **count_changes("llm_", prompted.scoring, sampled[: sizes.compared_prompts]),
            **count_changes(
                "llm_generated_", prompted.generating, sampled[: sizes.compared_generated]
            ),
        }
        if torch.cuda.is_available():
            record |= measure_gpu(sampled, tokenizer=minilm, folder=folder / "gpu")
            record["gpu"] = torch.cuda.get_device_name()
    print(json.dumps({**record, **machine()}))


def _measure_encoder(texts: Sequence[Text], *, sizes: Sizes, folder: Path) -> dict[str, Any]:
    """Time a run on originals and all valid mutants against the loop over the same texts."""
    suite = _Suite(texts, folder=folder, sheet=read_entries("models")["minilm"])
    alone = loop_encoder(folder / "encoder", suite.sheet)
    inputs = list(suite.inputs.values())
    duel = _duel(inputs, looped=sizes.looped, alone=alone, together=suite.run)
    distinct = suite.distinct()
    sampled = shuffled(distinct)[: sizes.looped]
    started = time.perf_counter()
    alone(sampled)
    loop_s = (time.perf_counter() - started) / len(sampled) * len(distinct)
    return {
        **duel.record("encoder"),
        "encoder_distinct_texts": len(distinct),
        "encoder_speedup_batching_only": round(loop_s / duel.seconds, 2),
    }


class _Suite:
    """Originals with all their valid mutants as files, and the encoder's run on them."""

    def __init__(self, texts: Sequence[Text], *, folder: Path, sheet: Mapping[str, Any]) -> None:
        self._folder, self.sheet = folder, sheet
        rows, mutants = valid_mutants(texts)
        write_tested(texts, folder / "corpus.parquet")
        pq.write_table(rows, folder / "suite.parquet")
        write_dictionary(folder / "pairs.csv")
        mutated = set(rows["original_id"].to_pylist())
        self.inputs = {text.original_id: text.text for text in texts if text.original_id in mutated}
        self.inputs |= dict(zip(rows["mutant_id"].to_pylist(), mutants, strict=True))

    def run(self, texts: Sequence[str]) -> Outcomes:
        """Run the encoder as a study does, and return the outcomes in the order of the inputs.

        A mutant in which the encoder sees nothing changed has its original's outcome.
        """
        encoder = open_encoder(self._folder / "encoder", self.sheet)
        responses = ResponseStore(self._folder / "responses", fingerprint=encoder.fingerprint)
        write_predictions(
            Opened(encoder, responses),
            inputs=SuiteShard(
                corpus=self._folder / "corpus.parquet",
                suite=self._folder / "suite.parquet",
                held_out=HeldOut(None, seed=0),
                discarded=True,
            ),
            predictions=self._folder / "predictions.parquet",
        )
        rows = self._rows()
        return [
            tuple(rows[key]["outcome"] or rows[key.split("|")[0]]["outcome"]) for key in self.inputs
        ]

    def distinct(self) -> list[str]:
        """Return the texts that differ to the encoder, each once."""
        texts = {row["input_hash"]: self.inputs[key] for key, row in self._rows().items()}
        return list(texts.values())

    def _rows(self) -> dict[str, dict[str, Any]]:
        rows = pq.read_table(self._folder / "predictions.parquet").to_pylist()
        return {row["input_id"]: row for row in rows}


def _families(texts: Sequence[Text], originals: Sequence[str], mutants: Sequence[str]) -> list[str]:
    """Return texts followed by some of their mutants, as they lie in the suite of a study."""
    of_original: dict[str, list[str]] = {}
    for original, mutant in zip(originals, mutants, strict=True):
        of_original.setdefault(original, []).append(mutant)
    rng = default_rng(SEED)
    found: list[str] = []
    for text in texts:
        own = of_original.get(text.original_id, [])
        chosen = rng.permutation(len(own))[:MUTANTS_PER_ORIGINAL].tolist()
        found += [text.text, *(own[place] for place in sorted(chosen))] if own else []
    return list(dict.fromkeys(found))


def _measure_prompted(prompted: Prompted, *, texts: Sequence[str], sizes: Sizes) -> dict[str, Any]:
    """Time labels scored, and answers generated, against whole prompts one at a time.

    Both models are asked once before, so that copies to other precisions are no part of the ratio.
    `llm_share_of_best` is the time that the tokens in which prompts differ would take at the best
    rate of several fixed batches, by the time that it took.
    """
    asked = texts[: sizes.prompts]
    scoring, generating = prompted.scoring(), prompted.generating()
    for model in (scoring, generating):
        responses_of(model, asked[-1:])
    # Only a score near the edge of a step is computed in this precision.
    list(scoring._decided(scoring._prompting.rows(asked[-1:]), dtype=torch.float64))
    labels = _duel(
        asked,
        looped=sizes.prompts_looped,
        alone=loop_labels(prompted),
        together=partial(_outcomes, scoring),
    )
    rows = scoring._prompting.rows(asked)
    best = max(time_tokens(scoring._models[scoring._screening], rows))
    answers = _duel(
        texts[: sizes.generated],
        looped=sizes.generated_looped,
        alone=loop_answers(prompted),
        together=partial(_answers, generating),
    )
    return {
        **labels.record("llm"),
        "llm_differing_tokens": _differing_tokens(rows),
        "llm_best_tokens_per_second": round(best),
        "llm_share_of_best": round(_differing_tokens(rows) / best / labels.seconds, 3),
        **answers.record("llm_generated"),
    }


def _differing_tokens(rows: Sequence[Sequence[int]]) -> int:
    """Return how many different beginnings the rows have: the least tokens to compute."""
    return len({tuple(row[:past]) for row in rows for past in range(1, len(row) + 1)})


def _measure_endpoint(prompted: Prompted, *, texts: Sequence[str], sizes: Sizes) -> dict[str, Any]:
    """Time many calls at once against one at a time, to a server that takes `DELAY_S`."""
    with slow_server() as address:
        sheet = {"base_url": address, "model": "slow", "context_tokens": 4096}
        sides = [
            open_endpoint(
                prompted.folder,
                sheet=sheet | {"concurrency": at_once},
                task=prompted.task,
                seed=SEED,
            )
            for at_once in (1, CONCURRENCY)
        ]
        alone, together = (partial(_outcomes, side) for side in sides)
        duel = _duel(
            texts[: sizes.calls], looped=sizes.calls_looped, alone=alone, together=together
        )
    return duel.record("endpoint")


def measure_scores(
    name: str, open_with: Callable[..., Model], texts: Sequence[str]
) -> dict[str, Any]:
    """Time a model that keeps scores against one that does not, in rounds that take turns.

    A first round, in which models are copied to other precisions, does not count. The ratio is the
    median of the rounds.
    """
    plain, scored = (open_with(scores=scores) for scores in (False, True))
    ratios = []
    for number in range(ROUNDS + 1):
        seconds = {}
        for model in (plain, scored) if number % 2 else (scored, plain):
            started = time.perf_counter()
            responses_of(model, texts)
            seconds[model] = time.perf_counter() - started
        ratios.append(seconds[scored] / seconds[plain])
    return {
        f"{name}_scores_texts": len(texts),
        f"{name}_seconds_with_scores": round(seconds[scored], 2),
        f"{name}_with_by_without_scores": round(float(np.median(ratios[1:])), 3),
        f"{name}_with_by_without_scores_rounds": [round(ratio, 3) for ratio in ratios[1:]],
    }


def measure_gpu(texts: Sequence[str], *, tokenizer: Path, folder: Path) -> dict[str, Any]:
    """Time a model of BERT-base's shape with random weights, run as the study's BERT is.

    All texts fill the window. Scores are kept only in the last comparison, where none is near the
    edge of a step. `gpu_share_of_best` is the throughput, including tokenising, divided by that of
    the best of several fixed batches whose tokens are on the device already. No decision is near a
    tie; `gpu_near_tie_cost` is how many times as long a run takes in which all are.
    """
    write_bert(folder / "clear", tokenizer=tokenizer, margin=10.005)
    write_bert(folder / "close", tokenizer=tokenizer, margin=0.1)
    sheet, asked = read_entries("models")["bert"], _filled(texts)
    clear, close = (open_encoder(folder / name, sheet, scores=False) for name in ("clear", "close"))
    for model in (clear, close):
        _outcomes(model, asked[:GPU_LOOPED])
    duel = _duel(
        asked,
        looped=GPU_LOOPED,
        alone=loop_encoder(folder / "clear", sheet),
        together=partial(_outcomes, clear),
    )
    started = time.perf_counter()
    _outcomes(close, asked)
    seconds_close = time.perf_counter() - started
    best = max(time_fixed_batches(folder / "clear", sheet, asked))
    return {
        **duel.record("gpu"),
        "gpu_share_of_best": round(len(asked) / duel.seconds / best, 3),
        "gpu_near_tie_cost": round(seconds_close / duel.seconds, 2),
        **measure_scores("gpu", partial(open_encoder, folder / "clear", sheet), asked),
    }


def _duel(
    texts: Sequence[str],
    *,
    looped: int,
    alone: Callable[[Sequence[str]], Outcomes],
    together: Callable[[Sequence[str]], Outcomes],
) -> Duel:
    """Time both sides; raise an error if their outcomes differ."""
    sampled = default_rng(SEED).choice(len(texts), size=min(looped, len(texts)), replace=False)
    asked = [texts[position] for position in sampled]
    half = len(asked) // 2
    # What is done only once, as a model's first pass, is no part of any ratio.
    alone(asked[:1])
    outcomes: list[tuple[str, ...] | str] = []
    seconds = []
    for side, part in [(alone, asked[:half]), (together, texts), (alone, asked[half:])]:
        started = time.perf_counter()
        found = side(part)
        seconds.append(time.perf_counter() - started)
        if side is together:
            everything = found
        else:
            outcomes += found
    changed = sum(
        everything[row] != outcome for row, outcome in zip(sampled, outcomes, strict=True)
    )
    assert changed == 0, f"{changed} of {len(asked)} outcomes differ from the alternative's"
    return Duel((seconds[0] + seconds[2]) / len(asked), seconds[1], len(texts))


def _answers(model: Model, texts: Sequence[str]) -> list[str]:
    """Return the model's answers in words, in the order of the texts."""
    return [model.read(response).answer or "" for response in responses_of(model, texts)]


def _outcomes(model: Model, texts: Sequence[str]) -> Outcomes:
    return [model.read(response).outcome or () for response in responses_of(model, texts)]


def _filled(texts: Sequence[str]) -> list[str]:
    """Return texts of at least as many words as the window has tokens, all different."""
    words = " ".join(texts).split()
    starts = range(0, GPU_TEXTS * 32, 32)
    return [" ".join(words[start : start + GPU_TOKENS]) for start in starts]


if __name__ == "__main__":
    if not ALLOCATOR.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ALLOCATOR})
    parser = argparse.ArgumentParser(description=__doc__)
    add_texts(parser)
    parser.add_argument("--scale", type=float, default=1, help="times as many texts as usual")
    main(**parse_arguments(parser))
