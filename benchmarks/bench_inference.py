"""Time models against asking them one text at a time, and count what batching changes.

`.venv/bin/python benchmarks/bench_inference.py --texts FILE`, a Parquet file with the columns
original_id and text: one JSON line. Every speed-up is a ratio to a named alternative in the same
process, on the same device, with the settings of memory of the Snakefile, and both must have the
same outcomes. The alternative is asked about texts drawn at random, half of them before and half
after the other side. Encoders read whole reviews, language models the short ones of the default
study. With a CUDA device all models run on it, and a model of BERT-base's shape is measured, too.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from corpus import (
    ROOT,
    SCHEMAS,
    curated_dictionary,
    invariant,
    parser_folder,
    read_texts,
    resource_folder,
    write_dictionary,
    write_tested,
)
from generate_mutants import CHARACTERS_AT_ONCE
from hinter.corpora import Text, blocks_of, prepare_corpus, read_prompt, read_split
from hinter.invariant import Parser, check_block
from hinter.models import (
    Encoder,
    GeneratingModel,
    Model,
    ScoringModel,
    Status,
    Task,
    convert_gguf,
    open_endpoint,
    open_model,
    open_scoring,
    read_task,
)
from hinter.mutants import list_orders
from hinter.mutation import place_pairs, render
from hinter.predictions import ResponseStore, SuiteShard, write_predictions
from hinter.sheets import read_sheet
from numpy.random import default_rng
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
)

# As in workflow/rules/common.smk.
ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
    "MALLOC_TRIM_THRESHOLD_": "10737418240",
    "MALLOC_TOP_PAD_": "268435456",
}
LABELS = ["negative", "positive"]
ORDERS = [1, 2]
SEED = 1

REVIEWS = 40
"""Whole reviews, all of whose valid mutants the encoder is asked about."""
LOOPED = 300
"""Texts that the encoder is asked about one at a time."""
SHORT_REVIEWS = 400
CALIBRATION = 16
PROMPTS, PROMPTS_LOOPED = 256, 48
GENERATED, GENERATED_LOOPED = 128, 32
SHUFFLED, SHUFFLED_PROMPTS, SHUFFLED_GENERATED = 5000, 200, 100
BATCH_TOKENS = [256, 2048, 8192, 32768]
DELAY_S, CONCURRENCY, CALLS, CALLS_LOOPED = 0.3, 32, 960, 32
GPU_TOKENS, GPU_TEXTS, GPU_LOOPED, GPU_TIES = 512, 4096, 256, 64
GPU_BATCHES = [8, 16, 32, 64, 128, 256, 512]

Outcomes = list[tuple[str, ...] | str]


class Duel(NamedTuple):
    """Seconds per text of the alternative, and seconds of the other side for all texts."""

    alternative_s: float
    seconds: float

    def speedup(self, texts: int) -> float:
        """Return how much longer the alternative takes for so many texts."""
        return round(self.alternative_s * texts / self.seconds, 2)


class Prompted(NamedTuple):
    """A language model's folder and sheet, its task, and what it is calibrated with."""

    folder: Path
    sheet: Mapping[str, Any]
    task: Task
    offsets: Mapping[str, float]

    def scoring(self, **settings: Any) -> ScoringModel:
        """Return the model that scores labels."""
        sheet = {**self.sheet, **settings}
        return open_scoring(self.folder, sheet=sheet, task=self.task, offsets=self.offsets)

    def generating(self, **settings: Any) -> Model:
        """Return the model that answers in words."""
        return open_model(
            self.folder,
            sheet={**self.sheet, **settings},
            labels=LABELS,
            task=self.task,
            offsets=None,
            seed=SEED,
            spending=None,
        )


def main(*, texts: Path) -> None:
    """Print the record."""
    minilm = resource_folder("all_minilm_l6_v2")
    with TemporaryDirectory() as name:
        folder = Path(name)
        corpus = _default_corpus(folder / "imdb.parquet")
        short = read_split(corpus, split="tested")[:SHORT_REVIEWS]
        shuffled = _shuffled([*(text.text for text in short), *_mutants(short, folder)[1]])
        _write_encoder(folder / "encoder", base=minilm, texts=shuffled[:64])
        prompted = _prompted(folder / "llm", corpus=corpus)
        record = {
            **_measure_encoder(read_texts(texts, count=REVIEWS), folder=folder),
            **_measure_labels(prompted, texts=shuffled),
            **_measure_answers(prompted, texts=shuffled),
            **_measure_endpoint(prompted, texts=shuffled),
            **_count_changes("", partial(_encoder, folder / "encoder"), shuffled[:SHUFFLED]),
            **_count_changes("llm_", prompted.scoring, shuffled[:SHUFFLED_PROMPTS]),
            **_count_changes(
                "llm_generated_", prompted.generating, shuffled[:SHUFFLED_GENERATED]
            ),
        }
        if torch.cuda.is_available():
            record |= measure_gpu(shuffled, tokenizer=minilm, folder=folder / "gpu")
    print(json.dumps({**record, "device": _device(), "cpus": os.cpu_count()}))


def _measure_encoder(texts: Sequence[Text], *, folder: Path) -> dict[str, Any]:
    """Time a run on originals and all valid mutants against the loop over the same texts."""
    rows, mutants = _mutants(texts, folder)
    pq.write_table(rows, folder / "suite.parquet")
    write_dictionary(folder / "pairs.csv")
    inputs = {text.original_id: text.text for text in texts}
    inputs |= dict(zip(rows["mutant_id"].to_pylist(), mutants, strict=True))
    alone = _encoder_loop(folder / "encoder")
    predicted: dict[str, dict[str, Any]] = {}
    duel = _duel(
        list(inputs.values()),
        looped=LOOPED,
        alone=alone,
        together=lambda _: _predicted(folder, found=predicted, order=list(inputs)),
    )
    digests = {row["input_hash"]: key for key, row in reversed(predicted.items())}
    distinct = [inputs[key] for key in digests.values()]
    drawn = _shuffled(distinct)[:LOOPED]
    started = time.perf_counter()
    alone(drawn)
    distinct_duel = Duel((time.perf_counter() - started) / len(drawn), duel.seconds)
    return {
        "encoder_inputs": len(inputs),
        "encoder_distinct_inputs": len(distinct),
        "encoder_seconds": round(duel.seconds, 2),
        "encoder_loop_ms_per_text": round(1000 * duel.alternative_s, 2),
        "encoder_speedup": duel.speedup(len(inputs)),
        "encoder_speedup_batching_only": distinct_duel.speedup(len(distinct)),
    }


def _measure_labels(prompted: Prompted, *, texts: Sequence[str]) -> dict[str, Any]:
    """Time labels scored together against whole prompts one at a time."""
    scoring = prompted.scoring()
    duel = _duel(
        texts[:PROMPTS],
        looped=PROMPTS_LOOPED,
        alone=_label_loop(prompted),
        together=lambda asked: [scoring.read(each).outcome for each in _responses(scoring, asked)],
    )
    return {
        "llm_texts": PROMPTS,
        "llm_seconds": round(duel.seconds, 2),
        "llm_loop_ms_per_text": round(1000 * duel.alternative_s, 2),
        "llm_speedup": duel.speedup(PROMPTS),
    }


def _measure_answers(prompted: Prompted, *, texts: Sequence[str]) -> dict[str, Any]:
    """Time answers generated together against whole prompts one at a time."""
    generating = prompted.generating()
    duel = _duel(
        texts[:GENERATED],
        looped=GENERATED_LOOPED,
        alone=_answer_loop(prompted),
        together=lambda asked: _responses(generating, asked),
    )
    return {
        "llm_generated_texts": GENERATED,
        "llm_generated_seconds": round(duel.seconds, 2),
        "llm_generated_loop_ms_per_text": round(1000 * duel.alternative_s, 2),
        "llm_generated_speedup": duel.speedup(GENERATED),
    }


def _measure_endpoint(prompted: Prompted, *, texts: Sequence[str]) -> dict[str, Any]:
    """Time many calls at once against one at a time, to a server that takes `DELAY_S`."""
    asked = texts[:CALLS]
    with _slow_server() as address:
        sheet = {"base_url": address, "model": "slow", "context_tokens": 4096}

        def answers(asked: Sequence[str], *, concurrency: int) -> Outcomes:
            endpoint = open_endpoint(
                prompted.folder,
                sheet={**sheet, "concurrency": concurrency},
                task=prompted.task,
                seed=SEED,
            )
            return [endpoint.read(each).outcome for each in _responses(endpoint, asked)]

        duel = _duel(
            asked,
            looped=CALLS_LOOPED,
            alone=partial(answers, concurrency=1),
            together=partial(answers, concurrency=CONCURRENCY),
        )
    return {
        "endpoint_calls": len(asked),
        "endpoint_concurrency": CONCURRENCY,
        "endpoint_seconds": round(duel.seconds, 2),
        "endpoint_speedup": duel.speedup(len(asked)),
    }


def _count_changes(
    prefix: str, open_with: Callable[..., Model], texts: Sequence[str]
) -> dict[str, Any]:
    """Count responses in batches of several sizes that differ from those to single texts."""
    model = open_with(batch_tokens=1)
    alone = [response for text in texts for response in _responses(model, [text])]
    sizes = default_rng(SEED).permutation(BATCH_TOKENS).tolist()
    together, near_ties = [], []
    for size, part in zip(sizes, np.array_split(np.arange(len(texts)), len(sizes)), strict=True):
        model = open_with(batch_tokens=size)
        _note_near_ties(model, near_ties)
        together += _responses(model, [texts[position] for position in part])
    return {
        f"{prefix}outcomes_compared": len(texts),
        f"{prefix}outcomes_changed_by_batching": sum(map(str.__ne__, alone, together)),
        f"{prefix}near_ties": sum(near_ties),
    }


def measure_gpu(texts: Sequence[str], *, tokenizer: Path, folder: Path) -> dict[str, Any]:
    """Time a model of BERT-base's shape (random weights, bfloat16) on texts that fill its window.

    `gpu_share_of_best` is the throughput with tokenising, by that of tokens which lie on the device
    in the best of several fixed batches. `gpu_near_tie_texts` says how many texts take as long as
    one that is decided again alone; the other figures are without any.
    """
    _write_bert(folder / "clear", tokenizer=tokenizer, margin=100.0)
    _write_bert(folder / "ties", tokenizer=tokenizer, margin=0.0)
    long = _filled(texts)
    settings = {"dtype": "bfloat16", "max_tokens": GPU_TOKENS}
    clear = _encoder(folder / "clear", **settings)
    duel = _duel(
        long,
        looped=GPU_LOOPED,
        alone=_encoder_loop(folder / "clear", **settings),
        together=lambda asked: [clear.read(each).outcome for each in _responses(clear, asked)],
    )
    ties = _encoder(folder / "ties", **settings)
    _responses(ties, long[:GPU_TIES])
    started = time.perf_counter()
    _responses(ties, long[:GPU_TIES])
    per_tie = (time.perf_counter() - started) / GPU_TIES
    throughput = len(long) / duel.seconds
    best = max(_fixed_batches(folder / "clear", long))
    return {
        "gpu_texts_per_second": round(throughput),
        "gpu_speedup": duel.speedup(len(long)),
        "gpu_share_of_best": round(throughput / best, 3),
        "gpu_near_tie_texts": round(per_tie * throughput, 1),
    }


def _duel(
    texts: Sequence[str],
    *,
    looped: int,
    alone: Callable[[Sequence[str]], Outcomes],
    together: Callable[[Sequence[str]], Outcomes],
) -> Duel:
    """Time both sides, and end with an error where they differ."""
    drawn = default_rng(SEED).choice(len(texts), size=min(looped, len(texts)), replace=False)
    asked = [texts[position] for position in drawn]
    half = len(asked) // 2
    # What is done only once, as a model's first pass, is no part of any ratio.
    alone(asked[:1])
    outcomes: Outcomes = []
    seconds = []
    for side, part in [(alone, asked[:half]), (together, texts), (alone, asked[half:])]:
        started = time.perf_counter()
        found = side(part)
        seconds.append(time.perf_counter() - started)
        if side is together:
            everything = found
        else:
            outcomes += found
    changed = sum(everything[row] != outcome for row, outcome in zip(drawn, outcomes, strict=True))
    assert changed == 0, f"{changed} of {len(asked)} outcomes differ from the alternative's"
    return Duel((seconds[0] + seconds[2]) / len(asked), seconds[1])


def _responses(model: Model, texts: Sequence[str]) -> list[str]:
    """Return the model's responses in the order of the texts."""
    found = dict(chain.from_iterable(model.responses(texts)))
    return [found[position] for position in range(len(texts))]


def _predicted(
    folder: Path, *, found: dict[str, dict[str, Any]], order: Sequence[str]
) -> Outcomes:
    """Run the encoder on the suite as a study does; return outcomes in `order`, rows in `found`."""
    encoder = _encoder(folder / "encoder")
    write_predictions(
        encoder,
        inputs=SuiteShard(corpus=folder / "corpus.parquet", suite=folder / "suite.parquet"),
        pairs=folder / "pairs.csv",
        store=ResponseStore(folder / "responses", fingerprint=encoder.fingerprint),
        predictions=folder / "predictions.parquet",
    )
    rows = {row["input_id"]: row for row in pq.read_table(folder / "predictions.parquet").to_pylist()}
    found |= {key: rows[key] for key in order}
    visible = {
        key: key.split("|")[0] if row["status"] == Status.IDENTICAL else key
        for key, row in found.items()
    }
    return [tuple(rows[visible[key]]["outcome"]) for key in order]


def _encoder_loop(
    folder: Path, *, dtype: str = "float32", max_tokens: int = 256
) -> Callable[[Sequence[str]], Outcomes]:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=dtype)
    model = model.eval().to(_place())

    @torch.inference_mode()
    def outcome(text: str) -> tuple[str, ...]:
        encoded = tokenizer(text, truncation=True, max_length=max_tokens, return_tensors="pt")
        logits = model(**encoded.to(model.device)).logits[0]
        return (model.config.id2label[int(logits.argmax())],)

    return lambda texts: [outcome(text) for text in texts]


def _label_loop(prompted: Prompted) -> Callable[[Sequence[str]], Outcomes]:
    tokenizer, model = _causal(prompted.folder)
    first = [tokenizer(f" {label}")["input_ids"][0] for label in LABELS]
    offsets = torch.tensor([prompted.offsets[label] for label in LABELS], dtype=torch.float64)

    @torch.inference_mode()
    def outcome(text: str) -> tuple[str, ...]:
        encoded = tokenizer(_prompt(prompted, text), return_tensors="pt").to(model.device)
        scores = model(**encoded).logits[0, -1].double().log_softmax(dim=-1)[first].cpu()
        return (LABELS[int((scores - offsets).argmax())],)

    return lambda texts: [outcome(text) for text in texts]


def _answer_loop(prompted: Prompted) -> Callable[[Sequence[str]], Outcomes]:
    tokenizer, model = _causal(prompted.folder)

    def answer(text: str) -> str:
        encoded = tokenizer(_prompt(prompted, text), return_tensors="pt").to(model.device)
        found = model.generate(
            **encoded,
            max_new_tokens=prompted.task.prompt.max_answer_tokens,
            do_sample=False,
            pad_token_id=tokenizer.pad_token_id,
        )
        words: str = tokenizer.decode(
            found[0, encoded["input_ids"].shape[1] :], skip_special_tokens=True
        )
        return words

    return lambda texts: [answer(text) for text in texts]


def _causal(folder: Path) -> tuple[Any, Any]:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype="float32").eval().to(_place())
    return AutoTokenizer.from_pretrained(folder), model


def _prompt(prompted: Prompted, text: str) -> str:
    return prompted.task.prompt.shown(prompted.task.examples) + prompted.task.prompt.asked(text)


def _fixed_batches(folder: Path, texts: Sequence[str]) -> Iterator[float]:
    """Yield the texts per second of each size of batch, everything else left out."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype="bfloat16")
    model = model.eval().to(_place())
    encoded = tokenizer(
        list(texts), truncation=True, max_length=GPU_TOKENS, padding=True, return_tensors="pt"
    ).to(model.device)
    for size in GPU_BATCHES:
        parts = list(
            zip(
                encoded["input_ids"].split(size),
                encoded["attention_mask"].split(size),
                strict=True,
            )
        )
        with torch.inference_mode():
            model(input_ids=parts[0][0], attention_mask=parts[0][1]).logits.cpu()
            started = time.perf_counter()
            logits = [model(input_ids=ids, attention_mask=mask).logits for ids, mask in parts]
            torch.cat(logits).cpu()
        yield len(texts) / (time.perf_counter() - started)


def _mutants(texts: Sequence[Text], folder: Path) -> tuple[pa.Table, list[str]]:
    """Return the valid mutants' rows, text by text, and their texts; write the corpus."""
    write_tested(texts, folder / "corpus.parquet")
    index = curated_dictionary()
    pairs = {pair.pair_id: pair for pair in index.pairs}
    ordered = sorted(texts, key=lambda text: text.original_id)
    with TemporaryDirectory() as store:
        check = invariant(Parser(parser_folder()), store=Path(store))
        tables = [
            list_orders(
                check_block(block, index=index, orders=ORDERS, invariant=check),
                orders=ORDERS,
                index=index,
            )
            for block in blocks_of(ordered, characters=CHARACTERS_AT_ONCE)
        ]
    table = pa.concat_tables(tables)
    table = table.filter(table["valid"])
    originals = {text.original_id: text.text for text in texts}
    rendered = [
        render(text, chain.from_iterable(place_pairs(text, [pairs[key] for key in keys])))
        for text, keys in zip(
            map(originals.__getitem__, table["original_id"].to_pylist()),
            table["pair_ids"].to_pylist(),
            strict=True,
        )
    ]
    return table, rendered


def _shuffled(texts: Sequence[str]) -> list[str]:
    distinct = list(dict.fromkeys(texts))
    return [distinct[position] for position in default_rng(SEED).permutation(len(distinct))]


def _default_corpus(path: Path) -> Path:
    """Write the corpus of the default study."""
    sheet = _sheet("datasets")["imdb"]
    examples = _read_prompt().examples
    source = resource_folder(sheet["resource"]) / sheet["file"]
    pq.write_table(prepare_corpus(source, sheet=sheet, examples=examples, seed=SEED)[0], path)
    return path


def _read_prompt() -> Any:
    return read_prompt(_PROMPT, schema=SCHEMAS / "prompt.schema.yaml", labels=LABELS)


_PROMPT = ROOT / "config" / "prompts" / "imdb.yaml"
