"""The suite: which mutants are drawn, and which come with them."""

import logging
import random
from hashlib import md5
from itertools import combinations, product
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.errors import InputError
from hinter.mutants import MUTANTS_SCHEMA, SUITE_SCHEMA
from hinter.oracle import limit_suite, select_suite
from hinter.oracle import suite as selection
from lattices import MANY
from made_up import control_of
from result_files import Row, write_rows


def _select(
    folder: Path,
    rows: list[Row],
    *,
    originals: int | None,
    pairs: int | None,
    discarded: bool = False,
    seed: int = 1,
    may_be_empty: bool = False,
) -> list[Row]:
    suite = folder / "selected.parquet"
    select_suite(
        write_rows(folder / "mutants.parquet", rows, MUTANTS_SCHEMA),
        suite,
        originals=originals,
        pairs_per_attribute=pairs,
        discarded=discarded,
        seed=seed,
        may_be_empty=may_be_empty,
    )
    return pq.read_table(suite).to_pylist()


def test_a_suite_is_every_valid_mutant_of_the_pairs_it_draws(tmp_path: Path) -> None:
    suite = _select(tmp_path, MANY, originals=7, pairs=1)
    assert len({row["original_id"] for row in suite}) == 7
    pairs: dict[str, set[str]] = {}
    for row in suite:
        pairs.setdefault(row["original_id"], set()).update(row["pair_ids"])
    for sampled in pairs.values():
        attributes = [pair.split(":")[0] for pair in sampled]
        assert len(set(attributes)) == len(attributes)
    expected = {
        row["mutant_id"]
        for row in MANY
        if row["valid"] and set(row["pair_ids"]) <= pairs.get(row["original_id"], set())
    }
    assert {row["mutant_id"] for row in suite} == expected


def test_a_suite_does_not_depend_on_the_order_of_mutants_but_on_the_seed(tmp_path: Path) -> None:
    forwards = _select(tmp_path, MANY, originals=7, pairs=1)
    assert _select(tmp_path, MANY[::-1], originals=7, pairs=1) == forwards
    assert _select(tmp_path, MANY, originals=7, pairs=1, seed=2) != forwards


def test_a_suite_without_limits_holds_all_valid_mutants_of_its_originals(tmp_path: Path) -> None:
    suite = _select(tmp_path, MANY, originals=None, pairs=None)
    assert {row["mutant_id"] for row in suite} == {row["mutant_id"] for row in MANY if row["valid"]}


def test_a_study_of_atomic_mutants_alone_draws_atomic_mutants(tmp_path: Path) -> None:
    atomic = [row for row in MANY if row["order"] == 1]
    suite = _select(tmp_path, atomic, originals=5, pairs=1)
    assert {row["order"] for row in suite} == {1}
    assert len({row["original_id"] for row in suite}) == 5


def test_a_suite_without_a_valid_intersectional_mutant_is_refused(tmp_path: Path) -> None:
    rows = [row | {"valid": row["order"] == 1} for row in MANY]
    with pytest.raises(InputError, match="no valid mutant to test; expected at least one valid"):
        _select(tmp_path, rows, originals=None, pairs=None)


def test_a_suite_that_may_be_empty_is_written_without_rows(tmp_path: Path) -> None:
    rows = [row | {"valid": row["order"] == 1} for row in MANY]
    assert _select(tmp_path, rows, originals=None, pairs=None, may_be_empty=True) == []


def test_with_discarded_mutants_a_suite_is_every_mutant_of_the_pairs_it_draws(
    tmp_path: Path,
) -> None:
    suite = _select(tmp_path, MANY, originals=7, pairs=1, discarded=True)
    kinds = {(row["order"], row["valid"]) for row in suite}
    assert kinds >= set(product((1, 2), (True, False)))
    for original_id in {row["original_id"] for row in suite}:
        # One pair of each attribute, and all that can be made of them.
        assert sum(row["original_id"] == original_id for row in suite) == 2**3 - 1


def test_an_unchecked_mutant_is_in_no_suite(tmp_path: Path) -> None:
    rows = [row | {"valid": None} if row["order"] == 2 else row for row in MANY]
    for discarded in (False, True):
        suite = _select(tmp_path, rows, originals=None, pairs=None, discarded=discarded)
        assert {row["order"] for row in suite} == {1, 3}


def test_a_sampled_mutant_comes_with_its_valid_sub_mutants(tmp_path: Path) -> None:
    """From originals that are not drawn too; what is not drawn of its order stays out."""
    sampled = [
        row | {"sampled": row["mutant_id"].endswith("race:x>p")} if row["order"] == 3 else row
        for row in MANY
    ]
    suite = _select(tmp_path, sampled, originals=2, pairs=1)
    found = {row["mutant_id"] for row in suite}
    chosen = [row for row in sampled if row["sampled"] and row["valid"]]
    assert {row["mutant_id"] for row in suite if row["sampled"]} == {
        row["mutant_id"] for row in chosen
    }
    valid = {row["mutant_id"] for row in sampled if row["valid"]}
    subsets = {
        "|".join([row["original_id"], *subset])
        for row in chosen
        for order in (1, 2)
        for subset in combinations(row["pair_ids"], order)
    }
    assert subsets & valid <= found
    alone = _select(tmp_path, MANY, originals=2, pairs=1)
    own = {row["mutant_id"] for row in alone if row["order"] < 3}
    assert {row["mutant_id"] for row in suite if row["sampled"] is None} == own
    assert {row["mutant_id"] for row in suite if row["sampled"] is False} == subsets & valid - own
    assert len({row["original_id"] for row in suite if row["order"] == 3}) > 2


@pytest.mark.parametrize(("originals", "pairs"), [(None, None), (7, 1), (None, 1), (3, None)])
def test_a_suite_does_not_depend_on_how_many_originals_are_drawn_from_at_once(
    originals: int | None, pairs: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the order of the rows, with sampled mutants and where an id begins another one."""
    sampled = [
        row | {"sampled": random.Random(row["mutant_id"]).random() < 0.3}
        if row["order"] == 3
        else row
        for row in MANY
    ]
    files = set()
    for size, rows in [(10**6, sampled), (100, sampled[::-1]), (1, sampled), (37, sampled)]:
        monkeypatch.setattr(selection, "ROWS_AT_ONCE", size)
        found = _select(tmp_path, rows, originals=originals, pairs=pairs)
        keys = [(row["original_id"], row["order"], row["attributes"]) for row in found]
        assert keys == sorted(keys)
        files.add((tmp_path / "selected.parquet").read_bytes())
    assert len(files) == 1


SEED = 5


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Return a suite with valid and discarded mutants of orders 1 and 2, as it is selected."""
    mutants = write_rows(tmp_path / "mutants.parquet", MANY, MUTANTS_SCHEMA)
    path = tmp_path / "suite.parquet"
    select_suite(mutants, path, originals=None, pairs_per_attribute=None, discarded=True, seed=SEED)
    return path


def _limit(suite: Path, *, controls: Path | None = None, **limits: int) -> list[Row]:
    none = dict.fromkeys(["originals", "pairs_per_attribute", "combinations", "tests"])
    limited = suite.with_name("limited.parquet")
    limit_suite(suite, limited, **{**none, **limits}, seed=SEED, controls=controls)
    return pq.read_table(limited).to_pylist()


def _sampled_order(rows: list[Row]) -> list[str]:
    """Return the originals with an intersectional mutant in the order in which they are drawn."""
    names = {row["original_id"] for row in rows if row["order"] > 1}
    return sorted(names, key=lambda name: md5(f"{SEED}:{name}".encode()).hexdigest())


def test_a_limit_of_originals_keeps_the_first_ones_whole(suite: Path) -> None:
    rows = pq.read_table(suite).to_pylist()
    first = _sampled_order(rows)
    for count in (1, 3, len(first)):
        kept = [row for row in rows if row["original_id"] in first[:count]]
        assert _limit(suite, originals=count) == kept


def test_a_limit_of_tests_keeps_as_many_whole_originals_as_fit(suite: Path) -> None:
    rows = pq.read_table(suite).to_pylist()
    first = _sampled_order(rows)
    sizes = {
        name: sum(row["valid"] for row in rows if row["original_id"] == name) for name in first
    }
    for tests in (sizes[first[0]], 40, 95, 10**6):
        fitting = [
            name
            for number, name in enumerate(first, start=1)
            if sum(sizes[each] for each in first[:number]) <= tests
        ]
        assert _limit(suite, tests=tests) == [row for row in rows if row["original_id"] in fitting]


def test_a_limit_of_pairs_draws_those_that_a_suite_of_this_size_draws(
    suite: Path, tmp_path: Path
) -> None:
    smaller = tmp_path / "smaller.parquet"
    select_suite(
        tmp_path / "mutants.parquet",
        smaller,
        originals=6,
        pairs_per_attribute=1,
        discarded=True,
        seed=SEED,
    )
    assert _limit(suite, originals=6, pairs_per_attribute=1) == pq.read_table(smaller).to_pylist()


@pytest.mark.parametrize("count", [1, 2, 9])
def test_a_limit_of_combinations_keeps_their_mutants_with_all_sub_mutants(
    suite: Path, count: int
) -> None:
    rows = pq.read_table(suite).to_pylist()
    limited = _limit(suite, combinations=count)
    for name in _sampled_order(rows):
        own = [row for row in rows if row["original_id"] == name]
        kept = [row for row in limited if row["original_id"] == name]
        highest = max(row["order"] for row in own if row["valid"])
        found, taken = (
            {row["attributes"] for row in of if row["valid"] and row["order"] == highest}
            for of in (own, kept)
        )
        assert len(taken) == min(count, len(found))
        combinations = [{*each.split("+")} for each in taken]
        assert kept == [
            row
            for row in own
            if any({*row["attributes"].split("+")} <= each for each in combinations)
        ]


def test_the_same_limit_gives_the_same_bytes_whatever_the_order_of_rows(suite: Path) -> None:
    _limit(suite, tests=50, pairs_per_attribute=2, combinations=1)
    first = suite.with_name("limited.parquet").read_bytes()
    rows = pq.read_table(suite).to_pylist()
    Random(1).shuffle(rows)
    write_rows(suite, rows, SUITE_SCHEMA)
    _limit(suite, tests=50, pairs_per_attribute=2, combinations=1)
    assert suite.with_name("limited.parquet").read_bytes() == first


def test_sampled_mutants_stay_with_their_originals_and_sub_mutants(tmp_path: Path) -> None:
    whole = [row for row in MANY if row["valid"]]
    name = _sampled_order(whole)[0]
    atoms = [row for row in whole if row["original_id"] == name and row["order"] == 1]
    pairs = next(
        [row["pair_ids"][0] for row in several]
        for several in combinations(atoms, 3)
        if len({row["attributes"] for row in several}) == 3
    )
    sampled = atoms[0] | {
        "mutant_id": "|".join([name, *pairs]),
        "order": 3,
        "pair_ids": pairs,
        "attributes": "+".join(pair.split(":")[0] for pair in pairs),
        "sampled": True,
    }
    rows = [row | {"control": False} for row in [*whole, sampled]]
    rows.sort(key=lambda r: (r["original_id"], r["order"], r["attributes"], r["mutant_id"]))
    suite = write_rows(tmp_path / "suite.parquet", rows, SUITE_SCHEMA)
    kept = {row["mutant_id"]: row for row in _limit(suite, originals=1, pairs_per_attribute=1)}
    known = {row["mutant_id"] for row in rows}
    parts = {
        "|".join([name, *part]) for size in (1, 2, 3) for part in combinations(pairs, size)
    } & known
    assert sampled["mutant_id"] in parts and parts <= kept.keys()
    assert kept[sampled["mutant_id"]]["sampled"] is True
    assert {row["original_id"] for row in kept.values()} == {name}


def test_controls_stay_with_the_mutants_that_they_are_compared_with(
    suite: Path, tmp_path: Path
) -> None:
    rows = pq.read_table(suite).to_pylist()
    controls = {
        row["mutant_id"]: control_of(row["mutant_id"], row["pair_ids"])
        for row in rows
        if row["valid"]
    }
    matched = write_rows(
        tmp_path / "controls.parquet",
        [
            {"mutant_id": key, "control_id": row["mutant_id"], "neutral_id": _neutral(key)}
            for key, row in controls.items()
        ],
        CONTROLS_SCHEMA,
    )
    added = {row["mutant_id"]: row for row in controls.values()}
    added |= {
        _neutral(key): row | {"mutant_id": _neutral(key), "pair_ids": _pairs(_neutral(key))[1:]}
        for key, row in controls.items()
    }
    whole = [*rows, *added.values()]
    write_rows(suite, whole, SUITE_SCHEMA)
    limited = _limit(suite, originals=4, pairs_per_attribute=1, controls=matched)
    kept = {row["mutant_id"] for row in limited if not row["control"]}
    expected = {controls[key]["mutant_id"] for key in kept if key in controls}
    expected |= {_neutral(key) for key in kept if key in controls}
    found = {row["mutant_id"] for row in limited if row["control"]}
    assert expected <= found
    # Beside them only the sub-mutants of theirs that the suite has.
    assert all(any(set(_pairs(key)) <= set(_pairs(of)) for of in expected) for key in found)
    assert 0 < len(found) < len(added)


def _neutral(mutant_id: str) -> str:
    name, *pairs = mutant_id.split("|")
    return "|".join([name, *(f"control:{number}>{pair}" for number, pair in enumerate(pairs))])


def _pairs(mutant_id: str) -> list[str]:
    return mutant_id.split("|")


def test_a_limit_larger_than_the_suite_keeps_it_whole_and_is_told_of(
    suite: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        kept = _limit(suite, originals=10_000)
    rows = pq.read_table(suite).to_pylist()
    assert kept == [row for row in rows if row["original_id"] in _sampled_order(rows)]
    assert f"has only {len(_sampled_order(rows))}, and all are used" in caplog.text


def test_a_limit_smaller_than_the_first_original_is_refused(suite: Path) -> None:
    with pytest.raises(InputError, match="found a limit of 1 tests; expected at least"):
        _limit(suite, tests=1)
