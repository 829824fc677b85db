"""Texts of a corpus: splits, shards and blocks."""

from collections import Counter
from itertools import chain, cycle, pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from corpus_files import write_corpus
from hinter.corpora import SplitShard, Text, blocks_of, prepare_corpus, read_split, sample_corpus
from hinter.corpora.texts import sample_splits
from users_files import GIVEN, SIZES, Row, dataset_sheet, id_of, write_csv


def test_tested_texts_are_read_from_every_split(given: Path, tmp_path: Path) -> None:
    table, _ = prepare_corpus(
        given,
        sheet=dataset_sheet(split_column="part", splits=GIVEN | {"tested": 11}),
        examples={},
        seed=1,
    )
    corpus = tmp_path / "corpus.parquet"
    pq.write_table(table, corpus)
    expected = [row["original_id"] for row in table.to_pylist() if row["tested"]]
    assert [text.original_id for text in read_split(corpus, split="tested")] == expected
    shards = [SplitShard(corpus, split="tested", shard=shard, shards=3) for shard in (1, 2, 3)]
    assert [text.original_id for shard in shards for text in shard] == expected
    assert len(read_split(corpus, split="training")) == 18


def test_drawn_texts_are_tested_ones_in_their_order(given: Path) -> None:
    sheet = dataset_sheet(split_column="part", splits=GIVEN | {"tested": 11})
    table, _ = prepare_corpus(given, sheet=sheet, examples={}, seed=1)
    tested = [row for row in table.to_pylist() if row["tested"]]
    assert sample_corpus(table, size=20, seed=1).to_pylist() == tested
    draws = {seed: sample_corpus(table, size=4, seed=seed).to_pylist() for seed in range(5)}
    for rows in draws.values():
        assert len(rows) == 4
        assert rows == [row for row in tested if row in rows]
    assert len({str(rows) for rows in draws.values()}) > 1
    # The drawn texts are the same in any order of the corpus.
    backwards = table.take(list(reversed(range(table.num_rows))))
    again = sample_corpus(backwards, size=4, seed=3).to_pylist()
    assert again[::-1] == draws[3]


def test_one_split_is_read_in_the_order_of_its_ids(
    rows: list[Row], path: Path, tmp_path: Path
) -> None:
    table, _ = prepare_corpus(
        write_csv(path, rows), sheet=dataset_sheet(splits=SIZES), examples={}, seed=1
    )
    pq.write_table(table, tmp_path / "c.parquet")
    texts = read_split(tmp_path / "c.parquet", split="tested")
    expected = [row for row in table.to_pylist() if row["split"] == "tested"]
    assert [text.original_id for text in texts] == [row["original_id"] for row in expected]
    assert [list(text.labels) for text in texts] == [row["labels"] for row in expected]


@pytest.mark.long
@pytest.mark.parametrize("group", [1, 3, 256, 1000])
@pytest.mark.parametrize("number", [0, 1, 7, 600])
def test_shards_are_the_whole_split_in_order(number: int, group: int, tmp_path: Path) -> None:
    splits = cycle(["tested", "training", "tested", "held_out"])
    rows = [(next(splits), f"text {row}") for row in range(number)]
    path = write_corpus(tmp_path / "corpus.parquet", rows, group=group)
    whole = read_split(path, split="tested")
    assert len(whole) == sum(split == "tested" for split, _ in rows)
    for shards in (1, 2, 3, 5, 10):
        divided = [
            SplitShard(path, split="tested", shard=shard, shards=shards)
            for shard in range(1, shards + 1)
        ]
        texts = [list(shard) for shard in divided]
        assert list(chain.from_iterable(texts)) == whole
        assert [len(shard) for shard in divided] == [len(members) for members in texts]
        lengths = {len(shard) for shard in divided}
        assert max(lengths) - min(lengths) <= 1


def test_a_shard_is_read_again_from_the_start(tmp_path: Path) -> None:
    path = write_corpus(tmp_path / "corpus.parquet", [("tested", f"{i}") for i in range(9)])
    shard = SplitShard(path, split="tested", shard=2, shards=2)
    assert [text.text for text in shard] == [text.text for text in shard] == ["5", "6", "7", "8"]


def test_a_split_that_is_not_there_has_no_texts(tmp_path: Path) -> None:
    path = write_corpus(tmp_path / "corpus.parquet", [("tested", "a"), ("training", "b")])
    for shard in (1, 2):
        absent = SplitShard(path, split="calibration", shard=shard, shards=2)
        assert (len(absent), list(absent)) == (0, [])


@pytest.mark.parametrize("characters", [1, 5, 12, 1000])
def test_blocks_are_of_a_number_of_characters_or_of_one_longer_text(characters: int) -> None:
    texts = [Text(f"{i}", "x" * (i * 7 % 11)) for i in range(40)]
    blocks = list(blocks_of(iter(texts), characters=characters))
    assert list(chain.from_iterable(blocks)) == texts
    assert all(blocks)
    lengths = [[len(text.text) for text in block] for block in blocks]
    assert all(sum(block) <= characters or len(block) == 1 for block in lengths)
    assert all(sum(block) + after[0] > characters for block, after in pairwise(lengths))


def test_no_texts_make_no_blocks() -> None:
    assert list(blocks_of([], characters=10)) == []


def test_drawing_favours_no_text() -> None:
    """Each of 30 texts is drawn for 10 places about 100 times in 300 (5 sigma: 41)."""
    ids = [id_of(f"text number {i}") for i in range(30)]
    sampled: Counter[str] = Counter()
    for seed in range(300):
        sampled.update(sample_splits(ids, sizes={"tested": 10}, seed=seed).keys())
    assert sorted(sampled) == sorted(ids)
    assert all(59 <= count <= 141 for count in sampled.values())
