"""Samples of scored mutants and the verdicts on them, by hand and at random."""

import random
from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hinter.grammar import GRAMMAR_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from result_files import Parts, Row, write_rows


def scored_original(name: str, score: float | None, *, tokens: int) -> Row:
    return {
        "input_id": name,
        "original_id": name,
        "sample": "original",
        "order": 0,
        "attributes": "",
        "tokens": tokens,
        "score": score,
    }


def scored_mutant(name: str, score: float | None, *, order: int = 1, valid: bool = True) -> Row:
    """The sampled mutant `original|...`."""
    return {
        "input_id": name,
        "original_id": name.split("|")[0],
        "sample": "valid" if valid else "discarded",
        "order": order,
        "attributes": "a" if order == 1 else "a+b",
        # Not the weight of the pair.
        "tokens": 1000,
        "score": score,
    }


def verdict_on(name: str, biased: bool | None, **values: Any) -> Row:
    plain = {
        "mutant_id": name,
        "original_id": name.split("|")[0],
        "order": 1,
        "valid": True,
        "sampled": None,
        "control": False,
        "visible_order": values.get("order", 1),
        "biased": biased,
    }
    return plain | values


def verdict_files(folder: Path, rows: dict[str, list[Row]]) -> Parts:
    return [
        (model, "d", write_rows(folder / model / "d.parquet", verdicts, VERDICTS_SCHEMA))
        for model, verdicts in rows.items()
    ]


def grammar_file(folder: Path, rows: list[Row]) -> Parts:
    return [("grammar", "d", write_rows(folder / "grammar" / "d.parquet", rows, GRAMMAR_SCHEMA))]


def values_of(rows: pd.DataFrame, columns: Sequence[str]) -> list[list[Any]]:
    return rows[list(columns)].values.tolist()


SAMPLE = [
    scored_original("o", 90, tokens=100),
    scored_original("p", 80, tokens=300),
    scored_mutant("o|a", 88),
    scored_mutant("o|b", 90),
    scored_mutant("p|a", 81),
    scored_mutant("p|b", None),
    scored_mutant("o|a|c", 70, order=2),
    scored_mutant("p|z", 60, valid=False),
]


def random_study(folder: Path, *, seed: int) -> tuple[Parts, Parts, pd.DataFrame, pd.DataFrame]:
    """Grammar and verdict files of two datasets and two models, and their rows as frames."""
    draw = random.Random(seed)
    grammar_parts, verdict_parts, grammar, verdicts = [], [], [], []
    for dataset in ("d", "e"):
        # The same ids in both, as texts may be of several datasets.
        sample, mutants = [], []
        for number in range(12):
            original = scored_original(
                f"o{number}", _random_score(draw), tokens=draw.randrange(20, 90)
            )
            sample.append(original)
            for place in range(draw.randrange(1, 9)):
                order, valid = draw.randrange(1, 4), draw.random() < 0.6
                name = f"o{number}|{place}"
                sample.append(scored_mutant(name, _random_score(draw), order=order, valid=valid))
                mutants.append((name, order, valid))
        path = write_rows(folder / "grammar" / f"{dataset}.parquet", sample, GRAMMAR_SCHEMA)
        grammar_parts.append(("grammar", dataset, path))
        grammar += [row | {"dataset": dataset} for row in sample]
        for model in ("m", "other"):
            told = [
                verdict_on(
                    name,
                    draw.choice([True, False, False, None]),
                    order=order,
                    valid=valid,
                    visible_order=order - (draw.random() < 0.1),
                    sampled=True if order == 3 else None,
                )
                for name, order, valid in mutants
            ]
            path = write_rows(folder / model / f"{dataset}.parquet", told, VERDICTS_SCHEMA)
            verdict_parts.append((model, dataset, path))
            verdicts += [row | {"dataset": dataset, "model": model} for row in told]
    return grammar_parts, verdict_parts, pd.DataFrame(grammar), pd.DataFrame(verdicts)


def _random_score(draw: random.Random) -> float | None:
    return None if draw.random() < 0.1 else draw.uniform(60, 100)


def levels_of(orders: "pd.Series[int]") -> "pd.Series[str]":
    return orders.map(lambda order: "atomic" if order == 1 else "intersectional")


def pairs_with_originals(grammar: pd.DataFrame) -> pd.DataFrame:
    """The sampled mutants with the score of their original and its tokens."""
    originals = grammar[grammar["sample"] == "original"]
    mutants = grammar[grammar["sample"] != "original"]
    pairs = mutants.merge(originals, on=["dataset", "original_id"], suffixes=("", "_original"))
    return pairs.assign(check=pairs["sample"], level=levels_of(pairs["order"]))


def expected_scores(pairs: pd.DataFrame) -> list[float]:
    scored = pairs.dropna(subset=["score", "score_original"])
    originals = len(scored[["dataset", "original_id"]].drop_duplicates())
    counts = [len(scored), originals, len(pairs) - len(scored)]
    if scored.empty:
        return [*counts, nan, nan, nan]
    weights = scored["tokens_original"]
    of_originals = np.average(scored["score_original"], weights=weights)
    of_mutants = np.average(scored["score"], weights=weights)
    return [*counts, of_originals, of_mutants, of_mutants - of_originals]


SCORE_COLUMNS = ["n", "originals", "unscored", "score_originals", "score_mutants", "difference"]


def assert_each(
    found: pd.DataFrame, keys: Sequence[str], columns: Sequence[str], expected: dict[Any, Any]
) -> None:
    rows = {tuple(row[key] for key in keys): row for row in found.to_dict("records")}
    assert set(rows) == set(expected)
    for key, numbers in expected.items():
        assert [rows[key][column] for column in columns] == pytest.approx(
            numbers, abs=1e-5, nan_ok=True
        ), key
