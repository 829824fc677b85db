"""The suite: which mutants are drawn, and which come with them."""

import random
from itertools import combinations, product
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.errors import InputError
from hinter.mutants import MUTANTS_SCHEMA
from hinter.oracle import select_suite
from hinter.oracle import suite as selection
from lattices import MANY
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


def test_texts_without_any_mutant_are_refused_for_what_they_lack(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no mutant of any text.*mention persons: `snakemake tex"):
        _select(tmp_path, [], originals=None, pairs=None)


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
    rows = [
        row | {"sampled": row["mutant_id"].endswith("race:x>p")} if row["order"] == 3 else row
        for row in MANY
    ]
    suite = _select(tmp_path, rows, originals=2, pairs=1)
    found = {row["mutant_id"] for row in suite}
    sampled = [row for row in rows if row["sampled"] and row["valid"]]
    assert {row["mutant_id"] for row in suite if row["sampled"]} == {
        row["mutant_id"] for row in sampled
    }
    valid = {row["mutant_id"] for row in rows if row["valid"]}
    subsets = {
        "|".join([row["original_id"], *subset])
        for row in sampled
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
