"""Which inputs of a suite are asked about."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.limits import HeldOut
from hinter.responses import SuiteShard, suite_shard
from suites import Study, mutant


def _ids(shard: SuiteShard) -> set[str]:
    return {
        input_id
        for block in shard.blocks()
        for input_id in [
            *(text.original_id for text in block.originals),
            *(row["mutant_id"] for rows in block.mutants for row in rows),
        ]
    }


@pytest.mark.parametrize("held_out", [HeldOut(None, seed=1), None])
@pytest.mark.parametrize("discarded", [True, False])
def test_held_out_texts_and_discarded_mutants_are_left_out_where_nobody_asks_for_them(
    held_out: HeldOut | None, discarded: bool, tmp_path: Path
) -> None:
    pairs = ["gender:man>woman", "race:Greek>Thai"]
    rows = [{**mutant(key, pair), "valid": key == "a"} for key in "ab" for pair in pairs]
    rows.append({**mutant("a", *pairs), "valid": False})
    texts = dict.fromkeys(["a", "b", "c", "h"], "A Greek man.")
    study = Study(tmp_path, texts=texts, rows=rows)
    shard = SuiteShard(
        corpus=study.folder / "corpus.parquet",
        suite=study.folder / "suite.parquet",
        held_out=held_out,
        discarded=discarded,
    )
    kept = [row for row in rows if row["valid"] or discarded]
    expected = {row[key] for row in kept for key in ("mutant_id", "original_id")}
    assert _ids(shard) == expected | ({"h"} if held_out else set())
    assert len(shard) == len(expected) + bool(held_out)


def test_fewer_held_out_texts_are_some_of_more_in_any_shards(tmp_path: Path) -> None:
    names = [f"h{number}" for number in range(20)]
    rows = [mutant("a", "gender:man>woman")]
    study = Study(tmp_path, texts=dict.fromkeys(["a", *names], "A Greek man."), rows=rows)

    def sampled(texts: int | None, *, seed: int, shards: int = 1) -> set[str]:
        parts = (
            SuiteShard(
                corpus=study.folder / "corpus.parquet",
                suite=study.folder / "suite.parquet",
                held_out=HeldOut(texts, seed=seed),
                discarded=False,
                shard=shard,
                shards=shards,
            )
            for shard in range(1, shards + 1)
        )
        return {key for part in parts for key in _ids(part) if key.startswith("h")}

    for texts in range(1, 20):
        assert len(sampled(texts, seed=1)) == texts
        assert sampled(texts, seed=1) < sampled(texts + 1, seed=1)
    assert sampled(7, seed=1) == sampled(7, seed=1, shards=5) != sampled(7, seed=2)
    assert sampled(50, seed=1) == sampled(None, seed=1) == set(names)


def test_of_a_sample_of_a_suite_all_originals_are_asked_and_only_its_mutants(
    tmp_path: Path,
) -> None:
    rows = [mutant(key, pair) for key in "abc" for pair in ("gender:man>woman", "race:Greek>Thai")]
    study = Study(tmp_path, texts=dict.fromkeys("abch", "A Greek man."), rows=rows)
    sample = tmp_path / "sample.parquet"
    pq.write_table(pq.read_table(study.folder / "suite.parquet").take([0, 1, 4]), sample)
    shard = SuiteShard(
        corpus=study.folder / "corpus.parquet",
        suite=study.folder / "suite.parquet",
        held_out=HeldOut(None, seed=1),
        discarded=True,
        sample=sample,
    )
    sampled = {rows[position]["mutant_id"] for position in (0, 1, 4)}
    assert _ids(shard) == {*"abch"} | sampled
    assert (len(shard), shard.mutated) == (7, 3)
    assert [block.mutated for block in shard.blocks()] == [{*"abc"}]


def test_mutants_of_long_texts_come_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite_shard, "CHARACTERS_AT_ONCE", 100)
    terms = ("woman", "boy", "girl", "person", "lady")
    rows = [mutant(key, f"gender:man>{term}") for key in "abc" for term in terms]
    texts = {"a": "A man.", "b": "A man. " * 6, "c": "A man. " * 30}
    study = Study(tmp_path, texts=texts, rows=rows)
    shard = SuiteShard(
        corpus=study.folder / "corpus.parquet",
        suite=study.folder / "suite.parquet",
        held_out=None,
        discarded=False,
    )
    (block,) = shard.blocks()
    given = [[row["mutant_id"] for row in some] for some in block.mutants]
    assert [key for some in given for key in some] == [row["mutant_id"] for row in rows]
    for some in given:
        lengths = [len(texts[key.partition("|")[0]]) for key in some]
        assert sum(lengths) <= 100 or len(some) == 1
    assert [len(some) for some in given] == [6, 2, 2, *[1] * 5]
