"""Time the scoring of originals with their mutants against a plain loop over the whole texts.

`.venv/bin/python benchmarks/bench_grammar.py` prints the times. Both ask one LanguageTool with the
same rules: the loop about every text, the project about every distinct unit of text.
`server_share_of_best` is the time that the server takes for these units alone, one after the other,
divided by the time of the project.
"""

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq
from corpus import (
    add_texts,
    read_texts,
    resource_folder,
    valid_mutants,
    write_dictionary,
    write_tested,
)
from hinter.config import Grammar
from hinter.corpora import Text
from hinter.grammar import GrammarChecker, LanguageToolServer, write_scores
from hinter.grammar.checker import split_units
from hinter.grammar.request import ask_server
from hinter.responses import ResponseStore, SuiteShard
from isa import machine, parse_arguments

WARMING = 100


def main(*, texts: Path | None, originals: int, mutants: int) -> None:
    """Print texts per second of both, their ratio, and whether all scores are the same."""
    rules = Grammar().model_dump(include={"categories", "left_out"})
    read = read_texts(texts, count=originals + WARMING)
    chosen, others = read[:originals], read[originals:]
    with TemporaryDirectory() as folder:
        wholes = _write_sample(chosen, Path(folder), mutants=mutants)
        started = time.monotonic()
        with LanguageToolServer(resource_folder("languagetool")) as server:
            checker = GrammarChecker(server, left_out=rules["left_out"])
            start_seconds = time.monotonic() - started
            # Java compiles what is used often, so the first hundreds of sentences are slow.
            _loop(server.url, {text.original_id: text.text for text in others}, **rules)
            scored, seconds = _score(checker, Path(folder), categories=rules["categories"])
            looped, loop_seconds = _loop(server.url, wholes, **rules)
            units = [unit for text in wholes.values() for unit in split_units(text)]
            distinct = dict(zip(units, units, strict=True))
            _, server_seconds = _loop(server.url, distinct, **rules)
    print(
        json.dumps(
            {
                **machine(),
                "texts": len(wholes),
                "units": len(units),
                "distinct_units": len(distinct),
                "words": sum(len(text.split()) for text in wholes.values()),
                "start_seconds": round(start_seconds, 1),
                "seconds": round(seconds, 1),
                "loop_seconds": round(loop_seconds, 1),
                "texts_per_second": round(len(wholes) / seconds, 1),
                "loop_texts_per_second": round(len(wholes) / loop_seconds, 1),
                "server_share_of_best": round(server_seconds / seconds, 3),
                "speedup": round(loop_seconds / seconds, 2),
                "scores_equal": scored == looped,
                "scores_differing": sum(scored[key] != looped[key] for key in wholes),
            }
        )
    )


def _write_sample(texts: Sequence[Text], folder: Path, *, mutants: int) -> dict[str, str]:
    """Write texts and `mutants` valid mutants of each, and return all by their input_id."""
    rows, rendered = valid_mutants(texts)
    groups: dict[str, list[int]] = {}
    for place, original_id in enumerate(rows["original_id"].to_pylist()):
        groups.setdefault(original_id, []).append(place)
    sampled = [
        place
        for places in groups.values()
        for place in sorted(random.Random(1).sample(places, min(mutants, len(places))))
    ]
    write_tested(texts, folder / "corpus.parquet")
    write_dictionary(folder / "pairs.csv")
    pq.write_table(rows.take(sampled), folder / "sample.parquet")
    wholes = {text.original_id: text.text for text in texts if text.original_id in groups}
    ids = rows["mutant_id"].to_pylist()
    return wholes | {ids[place]: rendered[place] for place in sampled}


def _score(
    checker: GrammarChecker, folder: Path, *, categories: Sequence[str]
) -> tuple[dict[str, int], float]:
    started = time.monotonic()
    write_scores(
        checker,
        inputs=SuiteShard(
            corpus=folder / "corpus.parquet",
            suite=folder / "sample.parquet",
            held_out=None,
            discarded=True,
        ),
        categories=categories,
        store=ResponseStore(folder / "store", fingerprint=checker.fingerprint),
        scores=folder / "scores.parquet",
    )
    seconds = time.monotonic() - started
    rows: list[dict[str, Any]] = pq.read_table(folder / "scores.parquet").to_pylist()
    return {row["input_id"]: row["matches"] for row in rows}, seconds


def _loop(
    url: str, texts: dict[str, str], *, categories: Sequence[str], left_out: Sequence[str]
) -> tuple[dict[str, int], float]:
    started = time.monotonic()
    found = {}
    for key, text in texts.items():
        answer = ask_server(url, text, left_out=left_out, seconds=60 + len(text))
        found[key] = sum(match.category in categories for match in answer.matches)
    return found, time.monotonic() - started


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_texts(parser)
    parser.add_argument("--originals", type=int, default=16, help="texts to mutate")
    parser.add_argument("--mutants", type=int, default=200, help="mutants of each, at most")
    main(**parse_arguments(parser))
