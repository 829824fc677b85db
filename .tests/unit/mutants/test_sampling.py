"""Drawn mutants: uniform, the same for any division of the work, and with their sub-mutants."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, islice, pairwise, permutations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.corpora import Text
from hinter.invariant import CheckedText, CheckStore, Comparator, Invariant, Parser, check_block
from hinter.mutants import MUTANTS_SCHEMA, SAMPLE_SCHEMA, MutantSample, list_orders, merge_samples
from hinter.mutants.sampling import ascending_keys
from hinter.mutation import DictionaryIndex, Literal
from literal import word_pairs
from scipy.stats import beta, chi2, chisquare, kendalltau, kstest

ORDERS = (2, 3, 4)
PAIRS = (
    *("age:old>young", "age:old>elderly", "age:kids>adults"),
    *("body:tall>blind", "body:tall>in a wheelchair", "body:strong>deaf"),
    *("gender:man>woman", "gender:man>boy", "gender:his>her", "gender:his>him"),
    *("gender:actor>actress", "race:British>Nigerian", "race:British>Thai", "race:American>Cuban"),
)
LIMIT = 120
TEXTS = (
    "An old man meets a tall British actor who has lost his way. I gave him his money back!",
    "The old British man is tall, and his kids are strong. American kids will love it.",
    "A tall American actor plays an old man. It is his best film so far.",
    "Nobody was there.",
    # Longer than the limit, so unchecked.
    "My kids saw it with a British man whom they had met in the garden of the old house on the "
    "hill, where his American wife and a tall, strong actor were waiting for them.",
    "One man, one film.",
)
SIGNIFICANCE = 0.001

Row = dict[str, Any]


INDEX = DictionaryIndex(word_pairs(PAIRS))


@pytest.fixture(scope="module")
def invariant(parser: Parser, tmp_path_factory: pytest.TempPathFactory) -> Invariant:
    folder = tmp_path_factory.mktemp("checks")
    store = CheckStore(folder, parser=parser, comparator=Comparator.TOLERANT)
    return Invariant(parser, Comparator.TOLERANT, store, max_sentence_chars=LIMIT)


@pytest.fixture(scope="module")
def checked(invariant: Invariant) -> list[CheckedText]:
    texts = [Text(f"t{number}", text) for number, text in enumerate(TEXTS)]
    return list(check_block(texts, operating=Literal(INDEX), orders=ORDERS, invariant=invariant))


@pytest.fixture(scope="module")
def listed(checked: list[CheckedText]) -> dict[str, Row]:
    """All mutants by id, some valid, some discarded and some unchecked."""
    rows = list_orders(checked, orders=ORDERS, index=INDEX).to_pylist()
    assert {(row["order"], row["valid"]) for row in rows} == {
        (order, valid) for order in ORDERS for valid in (True, False, None)
    }
    return {row["mutant_id"]: row for row in rows}


def _sample(
    checked: Iterable[CheckedText],
    *,
    orders: Sequence[int] = (2,),
    size: int,
    seed: int = 1,
    discarded: bool = False,
    index: DictionaryIndex = INDEX,
) -> pa.Table:
    sample = MutantSample(orders, size=size, seed=seed, discarded=discarded, index=index)
    for text in checked:
        sample.consider(text)
    table = sample.table()
    assert table.schema == SAMPLE_SCHEMA
    return table


def _merge(tables: Iterable[pa.Table], *, size: int, folder: Path) -> pa.Table:
    paths = []
    for number, table in enumerate(tables):
        paths.append(folder / f"shard{number}.parquet")
        pq.write_table(table, paths[-1])
    merged = merge_samples(paths, size=size)
    assert merged.schema == MUTANTS_SCHEMA
    return merged


def _sampled(table: pa.Table, *, order: int = 2) -> list[str]:
    """The ids of the drawn mutants of an order, which must be there once each."""
    rows = [row for row in table.to_pylist() if row["sampled"] and row["order"] == order]
    ids = [row["mutant_id"] for row in rows]
    assert len(set(ids)) == len(ids)
    return ids


def _valid(listed: dict[str, Row], *, order: int = 2) -> set[str]:
    return {key for key, row in listed.items() if row["valid"] and row["order"] == order}


def _sub_mutants(mutant_id: str, *, order: int) -> set[str]:
    original, *pairs = mutant_id.split("|")
    return {"|".join([original, *some]) for some in combinations(pairs, order)}


# Keys.


@pytest.mark.parametrize("size", [0, 1, 2, 10, 1000])
def test_keys_ascend_and_every_item_has_one(size: int) -> None:
    for seed in range(5):
        keyed = list(ascending_keys(size, generator=random.Random(seed)))
        keys = [key for key, _ in keyed]
        assert all(0 < key < 1 for key in keys)
        assert all(first < second for first, second in pairwise(keys))
        assert sorted(item for _, item in keyed) == list(range(size))


def test_keys_are_made_as_they_are_needed() -> None:
    keyed = list(islice(ascending_keys(10**15, generator=random.Random(1)), 3))
    assert len({item for _, item in keyed}) == 3
    assert 0 < keyed[0][0] < keyed[1][0] < keyed[2][0] < 1e-13


@pytest.mark.parametrize("position", [0, 1, 6])
def test_every_item_is_as_likely_at_every_place(position: int) -> None:
    items = Counter(
        list(ascending_keys(7, generator=random.Random(seed)))[position][1] for seed in range(5000)
    )
    assert sorted(items) == list(range(7))
    assert chisquare(list(items.values())).pvalue > SIGNIFICANCE


def test_every_order_of_items_is_as_likely() -> None:
    orders = Counter(
        tuple(item for _, item in ascending_keys(4, generator=random.Random(seed)))
        for seed in range(5000)
    )
    assert sorted(orders) == sorted(permutations(range(4)))
    assert chisquare(list(orders.values())).pvalue > SIGNIFICANCE


@pytest.mark.parametrize("size", [1, 5, 40])
def test_the_smallest_key_is_the_least_of_uniform_numbers(size: int) -> None:
    keys = [next(ascending_keys(size, generator=random.Random(seed)))[0] for seed in range(5000)]
    assert kstest(keys, lambda x: 1 - (1 - x) ** size).pvalue > SIGNIFICANCE


@pytest.mark.parametrize("position", [1, 3, 4])
def test_later_keys_are_those_of_sorted_uniform_numbers(position: int) -> None:
    keys = [
        list(ascending_keys(5, generator=random.Random(seed)))[position][0] for seed in range(5000)
    ]
    assert kstest(keys, beta(position + 1, 5 - position).cdf).pvalue > SIGNIFICANCE


def test_keys_do_not_depend_on_items() -> None:
    first = [next(ascending_keys(9, generator=random.Random(seed))) for seed in range(5000)]
    assert kendalltau(*zip(*first, strict=True)).pvalue > SIGNIFICANCE


# Samples.


@pytest.mark.parametrize("order", ORDERS)
def test_a_sample_has_as_many_distinct_valid_mutants_as_asked_for(
    order: int, checked: list[CheckedText], listed: dict[str, Row], tmp_path: Path
) -> None:
    valid = _valid(listed, order=order)
    for size in (1, 2, 10, len(valid) - 1, len(valid), len(valid) + 1, 10 * len(valid)):
        table = _sample(checked, orders=[order], size=size)
        sampled = _sampled(table, order=order)
        assert len(sampled) == table.num_rows == min(size, len(valid))
        assert set(sampled) <= valid
        assert set(_sampled(_merge([table], size=size, folder=tmp_path), order=order)) == set(
            sampled
        )


def test_a_smaller_sample_is_part_of_a_larger_one(checked: list[CheckedText]) -> None:
    samples = [set(_sampled(_sample(checked, size=size))) for size in (1, 5, 20, 50)]
    assert all(small < large for small, large in pairwise(samples))


def test_rows_are_those_of_a_list_but_for_being_drawn(
    checked: list[CheckedText], listed: dict[str, Row], tmp_path: Path
) -> None:
    table = _sample(checked, orders=ORDERS, size=30, discarded=True)
    rows = _merge([table], size=30, folder=tmp_path).to_pylist()
    assert {row["sampled"] for row in rows} == {True, False}
    assert [{**row, "sampled": None} for row in rows] == [listed[row["mutant_id"]] for row in rows]


def test_seed_decides_the_sample(checked: list[CheckedText]) -> None:
    first, other, again = (_sample(checked, size=20, seed=seed) for seed in (1, 2, 1))
    assert first == again
    assert set(_sampled(first)) != set(_sampled(other))


@pytest.mark.parametrize("size", [1, 12, 10_000])
@pytest.mark.parametrize("discarded", [False, True])
def test_neither_order_nor_division_of_texts_changes_the_sample(
    size: int, discarded: bool, checked: list[CheckedText], tmp_path: Path
) -> None:
    draw: dict[str, Any] = {"orders": [3, 4], "size": size, "discarded": discarded}
    expected = _merge([_sample(checked, **draw)], size=size, folder=tmp_path)
    assert expected.num_rows
    generator = random.Random(size)
    for shards in (1, 2, 3, len(checked) + 2):
        shuffled = generator.sample(checked, len(checked))
        tables = [_sample(shuffled[shard::shards], **draw) for shard in range(shards)]
        assert _merge(tables, size=size, folder=tmp_path) == expected


def test_texts_do_not_change_each_others_keys(
    checked: list[CheckedText], listed: dict[str, Row]
) -> None:
    """With room for all, the sample of a text is what it is among others."""
    size = len(listed)
    together = _sample(checked, size=size).to_pylist()
    alone = [row for text in checked for row in _sample([text], size=size).to_pylist()]
    keys = {row["mutant_id"]: row["key"] for row in together}
    assert keys == {row["mutant_id"]: row["key"] for row in alone}
    assert len(set(keys.values())) == len(keys)


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "seeds"),
    [(25, 100), *(pytest.param(*of, marks=pytest.mark.release) for of in ((1, 1000), (25, 300)))],
)
def test_every_valid_mutant_is_as_likely(
    size: int, seeds: int, checked: list[CheckedText], listed: dict[str, Row]
) -> None:
    valid = _valid(listed)
    sampled: Counter[str] = Counter(dict.fromkeys(valid, 0))
    for seed in range(seeds):
        sampled.update(_sampled(_sample(checked, size=size, seed=seed)))
    assert sampled.keys() == valid
    # Draws without replacement vary less than a multinomial's.
    rate = size / len(valid)
    variance = seeds * rate * (1 - rate) * len(valid) / (len(valid) - 1)
    statistic = sum((times - seeds * rate) ** 2 for times in sampled.values()) / variance
    low, high = chi2(len(valid) - 1).ppf([SIGNIFICANCE, 1 - SIGNIFICANCE])
    assert low < statistic < high


def test_discarded_mutants_are_drawn_where_asked_for_but_never_unchecked_ones(
    checked: list[CheckedText], listed: dict[str, Row]
) -> None:
    size = len(listed)
    everything = _sampled(_sample(checked, size=size, discarded=True))
    assert set(everything) == {
        key for key, row in listed.items() if row["order"] == 2 and row["valid"] is not None
    }
    some = _sampled(_sample(checked, size=30, discarded=True))
    assert {listed[key]["valid"] for key in some} == {True, False}
    assert all(listed[key]["valid"] for key in _sampled(_sample(checked, size=size)))


def test_nothing_to_draw_makes_an_empty_sample(checked: list[CheckedText], tmp_path: Path) -> None:
    tables = [
        _sample(checked, orders=[], size=5),
        _sample([], orders=[2], size=5),
        _sample(checked[3:5], orders=[2, 3], size=5),
    ]
    assert [table.num_rows for table in tables] == [0, 0, 0]
    assert _merge(tables, size=5, folder=tmp_path).num_rows == 0


# Sub-mutants.


@pytest.mark.parametrize("size", [1, 8, 40])
@pytest.mark.parametrize("discarded", [False, True])
def test_sub_mutants_of_sampled_orders_come_with_their_mutant(
    size: int, discarded: bool, checked: list[CheckedText], listed: dict[str, Row], tmp_path: Path
) -> None:
    table = _sample(checked, orders=[3, 4], size=size, discarded=discarded)
    merged = _merge([table], size=size, folder=tmp_path)
    threes, fours = _sampled(merged, order=3), _sampled(merged, order=4)
    assert (len(threes), len(fours)) == (size, size)
    subs = {sub for four in fours for sub in _sub_mutants(four, order=3)}
    assert subs <= listed.keys()
    rows = {row["mutant_id"]: row["sampled"] for row in merged.to_pylist()}
    assert len(rows) == merged.num_rows
    assert rows == dict.fromkeys(subs, False) | dict.fromkeys([*threes, *fours], True)


def test_a_sub_mutant_that_is_drawn_itself_stays_drawn_and_comes_once(
    checked: list[CheckedText], listed: dict[str, Row], tmp_path: Path
) -> None:
    size = len(listed)
    tables = [_sample([text], orders=[3, 4], size=size) for text in checked]
    merged = _merge(tables, size=size, folder=tmp_path)
    rows = merged.to_pylist()
    times = Counter(row["mutant_id"] for row in rows)
    assert set(times.values()) == {1}
    subs = {sub for four in _sampled(merged, order=4) for sub in _sub_mutants(four, order=3)}
    valid = _valid(listed, order=3)
    assert subs & valid and subs - valid
    assert {row["mutant_id"] for row in rows if row["sampled"]} == valid | _valid(listed, order=4)
    assert {row["mutant_id"] for row in rows if not row["sampled"]} == subs - valid


def test_sub_mutants_of_mutants_beyond_the_size_are_left_out(
    checked: list[CheckedText], tmp_path: Path
) -> None:
    """A shard's own sample is larger than its share, and what is not chosen leaves no trace."""
    apart = [_sample([text], orders=[3, 4], size=3) for text in checked]
    assert sum(len(_sampled(table, order=4)) for table in apart) > 3
    merged = _merge(apart, size=3, folder=tmp_path)
    subs = {sub for four in _sampled(merged, order=4) for sub in _sub_mutants(four, order=3)}
    left = {row["mutant_id"] for row in merged.to_pylist() if not row["sampled"]}
    assert left == subs - set(_sampled(merged, order=3))


def test_sub_mutants_two_orders_below_come_too(checked: list[CheckedText], tmp_path: Path) -> None:
    merged = _merge([_sample(checked, orders=[2, 4], size=4)], size=4, folder=tmp_path)
    subs = {sub for four in _sampled(merged, order=4) for sub in _sub_mutants(four, order=2)}
    assert len(subs) > 6
    assert {row["mutant_id"] for row in merged.to_pylist()} == {
        *subs,
        *_sampled(merged, order=2),
        *_sampled(merged, order=4),
    }


def test_a_sub_mutant_that_does_not_exist_is_left_out(invariant: Invariant) -> None:
    """Without `very old` in the way, the first `old man` takes the only place of `man in`."""
    index = DictionaryIndex(
        word_pairs(["age:very old>young", "body:old man>boy", "gender:man in>woman in"])
    )
    texts = [Text("t", "A very old man in red saw an old man.")]
    checked = list(check_block(texts, operating=Literal(index), orders=[2, 3], invariant=invariant))
    table = _sample(checked, orders=[2, 3], size=9, discarded=True, index=index)
    ids = {row["mutant_id"] for row in table.to_pylist()}
    assert ids == {
        "t|age:very old>young|body:old man>boy",
        "t|age:very old>young|gender:man in>woman in",
        "t|age:very old>young|body:old man>boy|gender:man in>woman in",
    }
