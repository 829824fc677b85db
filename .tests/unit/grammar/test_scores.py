"""The sample of texts: even, and decided by its seed alone."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.grammar import sample_texts
from hinter.mutants import SUITE_SCHEMA

pytestmark = pytest.mark.long


def _suite(folder: Path, *, seed: int) -> Path:
    """Write a suite of 60 originals with many mutants of some kinds and few of others."""
    rows = [
        {
            "mutant_id": f"o{original}|{attributes}:{number}",
            "original_id": f"o{original}",
            "order": attributes.count("+") + 1,
            "attributes": attributes,
            "pair_ids": [],
            "valid": number % 4 != 0,
            "control": False,
        }
        for original in range(60)
        for attributes, count in {"a": 40, "b": 8, "c": 4, "a+b": 90, "b+c": 8}.items()
        for number in range(count)
    ]
    random.Random(seed).shuffle(rows)
    path = folder / f"suite{seed}.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=SUITE_SCHEMA), path)
    return path


def _sampled(folder: Path, suite: Path, **sizes: int | None) -> list[tuple[Any, ...]]:
    path = folder / "sample.parquet"
    sample_texts(suite, path, **{"originals": None, "valid": None, "discarded": None, **sizes})
    return duckdb.execute(
        f"SELECT mutant_id, original_id, attributes, valid FROM '{path}'"
    ).fetchall()


def test_a_sample_is_even_over_orders_and_attributes(tmp_path: Path) -> None:
    suite = _suite(tmp_path, seed=1)
    rows = _sampled(tmp_path, suite, originals=60, valid=240, discarded=60, seed=7)
    # Two orders, of three and two combinations.
    assert Counter((row[2], row[3]) for row in rows) == {
        ("a", True): 40,
        ("b", True): 40,
        ("c", True): 30,
        ("a+b", True): 60,
        ("b+c", True): 60,
        ("a", False): 10,
        ("b", False): 10,
        ("c", False): 10,
        ("a+b", False): 15,
        ("b+c", False): 15,
    }
    per_kind = {(row[2], row[1]) for row in rows}
    assert Counter(kind for kind, _ in per_kind) == {
        "a": 10,
        "b": 10,
        "c": 10,
        "a+b": 15,
        "b+c": 15,
    }


def test_a_sample_follows_the_seed_and_nothing_else(tmp_path: Path) -> None:
    sizes = {"originals": 30, "valid": 60, "discarded": 30}
    first, other = (_suite(tmp_path, seed=seed) for seed in (1, 2))
    sampled = _sampled(tmp_path, first, **sizes, seed=7)
    assert _sampled(tmp_path, other, **sizes, seed=7) == sampled
    assert _sampled(tmp_path, first, **sizes, seed=8) != sampled


def test_all_are_drawn_where_no_size_is_given(tmp_path: Path) -> None:
    suite = _suite(tmp_path, seed=1)
    assert len(_sampled(tmp_path, suite, seed=1)) == pq.read_metadata(suite).num_rows


def test_a_larger_sample_holds_a_smaller_one(tmp_path: Path) -> None:
    suite = _suite(tmp_path, seed=1)
    small = _sampled(tmp_path, suite, valid=50, discarded=10, seed=3)
    assert set(small) < set(_sampled(tmp_path, suite, valid=100, discarded=20, seed=3))
