"""Bias, hidden bias and the suite, against plain loops over small random studies."""

import random
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.errors import InputError
from hinter.mutants import MUTANTS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA, judge_mutants, select_suite
from hinter.oracle import verdicts as oracle
from hinter.predictions import PREDICTIONS_SCHEMA
from hypothesis import given, settings
from hypothesis import strategies as st

ATTRIBUTES = ["age", "body", "race"]
PAIRS = {name: [f"{name}:x>{target}" for target in "pq"] for name in ATTRIBUTES}

Row = dict[str, Any]


def _mutants(original_id: str, *, valid: dict[str, bool]) -> list[Row]:
    rows = []
    for order in (1, 2, 3):
        for attributes in combinations(ATTRIBUTES, order):
            for pair_ids in product(*(PAIRS[name] for name in attributes)):
                mutant_id = "|".join([original_id, *pair_ids])
                rows.append(
                    {
                        "mutant_id": mutant_id,
                        "original_id": original_id,
                        "order": order,
                        "attributes": "+".join(attributes),
                        "pair_ids": list(pair_ids),
                        "valid": valid.get(mutant_id, True),
                        "reason": None if valid.get(mutant_id, True) else "pos",
                        "drawn": None,
                    }
                )
    return rows


ALL_IDS = [row["mutant_id"] for row in _mutants("o", valid={})]


def _write(path: Path, rows: list[Row], schema: pa.Schema) -> Path:
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return path


def _prediction(input_id: str, outcome: list[str] | None) -> Row:
    return {
        "input_id": input_id,
        "outcome": outcome,
        "status": "identical" if outcome is None else "ok",
        "visible_order": input_id.count("|"),
        "input_hash": "",
    }


def _judge(folder: Path, suite: list[Row], outcomes: dict[str, list[str] | None]) -> list[Row]:
    predictions = [_prediction(key, outcome) for key, outcome in outcomes.items()]
    verdicts = folder / "verdicts.parquet"
    judge_mutants(
        _write(folder / "suite.parquet", suite, MUTANTS_SCHEMA),
        _write(folder / "predictions.parquet", predictions, PREDICTIONS_SCHEMA),
        verdicts,
        outcome_statuses=[],
    )
    table = pq.read_table(verdicts)
    assert (table.schema.names, table.schema.types) == (
        VERDICTS_SCHEMA.names,
        VERDICTS_SCHEMA.types,
    )
    return table.to_pylist()


def _expected(row: Row, known: dict[str, bool | None]) -> Row:
    """Return biased, complete, hidden and minimal subsets of one mutant, by plain loops."""
    pairs = row["pair_ids"]
    subsets = [
        list(subset) for size in range(1, len(pairs) + 1) for subset in combinations(pairs, size)
    ]
    biased_of = {
        "|".join(subset): known.get("|".join([row["original_id"], *subset])) for subset in subsets
    }
    whole = "|".join(pairs)
    proper = {key: value for key, value in biased_of.items() if key != whole}
    complete = all(value is not None for value in proper.values())
    hidden: bool | None
    if len(pairs) == 1 or biased_of[whole] is None:
        hidden = None
    elif not biased_of[whole] or any(proper.values()):
        hidden = False
    else:
        hidden = True if complete else None
    biased = [key for key, value in biased_of.items() if value]
    minimal = [
        key
        for key in biased
        if not any(set(other.split("|")) < set(key.split("|")) for other in biased)
    ]
    return {
        "biased": biased_of[whole],
        "counted": row["valid"] and row["drawn"] is not False and biased_of[whole] is not None,
        "complete": complete,
        "hidden": hidden,
        "minimal_subsets": sorted(minimal),
    }


OUTCOME = st.sampled_from([["n"], ["p"], ["p"], ["p"], None])


@pytest.mark.long
@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.dictionaries(st.sampled_from(ALL_IDS), OUTCOME, min_size=5),
    st.dictionaries(st.sampled_from(ALL_IDS), st.sampled_from([None, True, False])),
)
def test_verdicts_equal_plain_loops_over_the_lattice(
    tmp_path_factory: pytest.TempPathFactory,
    outcomes: dict[str, list[str] | None],
    drawn: dict[str, bool | None],
) -> None:
    suite = [
        row | {"drawn": drawn.get(row["mutant_id"])}
        for row in _mutants("o", valid={})
        if row["mutant_id"] in outcomes
    ]
    judged = _judge(tmp_path_factory.mktemp("oracle"), suite, {"o": ["p"], **outcomes})
    known = {
        key: None if outcome is None else outcome != ["p"] for key, outcome in outcomes.items()
    }
    found = {
        row["mutant_id"]: {
            "biased": row["biased"],
            "counted": row["counted"],
            "complete": row["complete"],
            "hidden": row["hidden"],
            "minimal_subsets": sorted(row["minimal_subsets"]),
        }
        for row in judged
    }
    assert found == {row["mutant_id"]: _expected(row, known) for row in suite}


def test_a_hidden_case_needs_its_own_pairs_and_not_just_its_attributes(tmp_path: Path) -> None:
    """Another pair of the same attributes says nothing, however it was answered."""
    age_p, age_q, race_p = "age:x>p", "age:x>q", "race:x>p"
    outcomes = {
        "o": ["p"],
        f"o|{age_p}": ["p"],
        f"o|{age_q}": ["n"],
        f"o|{race_p}": ["p"],
        f"o|{age_p}|{race_p}": ["n"],
        f"o|{age_q}|{race_p}": ["n"],
    }
    suite = [row for row in _mutants("o", valid={}) if row["mutant_id"] in outcomes]
    verdicts = {row["mutant_id"]: row for row in _judge(tmp_path, suite, outcomes)}
    assert verdicts[f"o|{age_p}|{race_p}"]["hidden"] is True
    assert verdicts[f"o|{age_q}|{race_p}"]["hidden"] is False
    assert verdicts[f"o|{age_q}|{race_p}"]["minimal_subsets"] == [age_q]


def test_a_sub_mutant_that_was_discarded_leaves_hidden_bias_open(tmp_path: Path) -> None:
    """Whatever its outcome: it says nothing about a valid mutant."""
    outcomes = {"o": ["p"], "o|age:x>p": ["p"], "o|body:x>p": ["n"], "o|age:x>p|body:x>p": ["n"]}
    rows = _mutants("o", valid={"o|body:x>p": False})
    suite = [row for row in rows if row["mutant_id"] in outcomes]
    verdicts = {row["mutant_id"]: row for row in _judge(tmp_path, suite, outcomes)}
    assert verdicts["o|body:x>p"]["biased"] is True
    whole = verdicts["o|age:x>p|body:x>p"]
    assert (whole["biased"], whole["complete"], whole["hidden"]) == (True, False, None)
    assert whole["minimal_subsets"] == ["age:x>p|body:x>p"]


def test_multi_label_outcomes_are_compared_as_sets_in_one_order(tmp_path: Path) -> None:
    outcomes = {"o": ["a", "b"], "o|age:x>p": ["a", "b"], "o|race:x>p": ["a"]}
    suite = [row for row in _mutants("o", valid={}) if row["mutant_id"] in outcomes]
    biased = {row["mutant_id"]: row["biased"] for row in _judge(tmp_path, suite, outcomes)}
    assert biased == {"o|age:x>p": False, "o|race:x>p": True}


def test_verdicts_do_not_depend_on_how_many_originals_are_judged_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the order of the rows, and where an id begins with another one."""
    ids = [f"o{number}" for number in range(20)]
    outcomes = {key: [random.Random(key).choice("npp")] for key in ids}
    outcomes |= {row["mutant_id"]: [random.Random(row["mutant_id"]).choice("npp")] for row in MANY}
    files = set()
    for size, suite in [(10**6, MANY), (100, MANY[::-1]), (1, MANY)]:
        monkeypatch.setattr(oracle, "SUBSETS_AT_ONCE", size)
        assert len(_judge(tmp_path, suite, outcomes)) == len(MANY)
        files.add((tmp_path / "verdicts.parquet").read_bytes())
    assert len(files) == 1


STATED = {
    "o": "ok",
    "o|age:x>p": "ok",
    "o|age:x>q": "none",
    "o|body:x>p": "refused",
    "o|body:x>q": "unparsed",
    "o|race:x>p": "identical",
}


def _judge_stated(
    folder: Path, statuses: dict[str, str], *, outcome_statuses: list[str]
) -> dict[str, Row]:
    """Verdicts where every answer with a label has the same one."""
    folder.mkdir(exist_ok=True)
    suite = [row for row in _mutants("o", valid={}) if row["mutant_id"] in statuses]
    predictions = [
        _prediction(key, ["p"] if status == "ok" else None) | {"status": status}
        for key, status in statuses.items()
    ]
    verdicts = folder / "verdicts.parquet"
    judge_mutants(
        _write(folder / "suite.parquet", suite, MUTANTS_SCHEMA),
        _write(folder / "predictions.parquet", predictions, PREDICTIONS_SCHEMA),
        verdicts,
        outcome_statuses=outcome_statuses,
    )
    return {row["mutant_id"]: row for row in pq.read_table(verdicts).to_pylist()}


@pytest.mark.parametrize("size", range(4))
def test_an_answer_without_a_label_is_an_outcome_where_its_status_is_listed(
    size: int, tmp_path: Path
) -> None:
    """Between all statuses, of the original and of the mutant."""
    for listed in combinations(["none", "refused", "unparsed"], size):
        for first in STATED.values():
            statuses = STATED | {"o": first}
            verdicts = _judge_stated(tmp_path, statuses, outcome_statuses=list(listed))
            counted = {"ok", *listed}
            for mutant_id, row in verdicts.items():
                status = statuses[mutant_id]
                expected = status != first if {status, first} <= counted else None
                assert row["biased"] is expected
                assert row["status"] == status


def test_a_refusal_of_both_pairs_alone_is_hidden_where_it_counts(tmp_path: Path) -> None:
    statuses = {"o": "ok", "o|age:x>p": "ok", "o|race:x>p": "ok", "o|age:x>p|race:x>p": "refused"}
    for listed, hidden in [(["refused"], True), (["none"], None)]:
        verdicts = _judge_stated(tmp_path, statuses, outcome_statuses=listed)
        assert verdicts["o|age:x>p|race:x>p"]["hidden"] is hidden


def test_a_sub_mutant_whose_status_does_not_count_leaves_hidden_bias_open(tmp_path: Path) -> None:
    statuses = {"o": "ok", "o|age:x>p": "none", "o|race:x>p": "ok", "o|age:x>p|race:x>p": "refused"}
    verdicts = _judge_stated(tmp_path, statuses, outcome_statuses=["refused"])
    whole = verdicts["o|age:x>p|race:x>p"]
    assert (whole["biased"], whole["complete"], whole["hidden"]) == (True, False, None)
    both = _judge_stated(tmp_path, statuses, outcome_statuses=["refused", "none"])
    assert both["o|age:x>p|race:x>p"]["hidden"] is False


def _select(
    folder: Path,
    rows: list[Row],
    *,
    originals: int | None,
    pairs: int | None,
    discarded: bool = False,
    seed: int = 1,
) -> list[Row]:
    suite = folder / "selected.parquet"
    select_suite(
        _write(folder / "mutants.parquet", rows, MUTANTS_SCHEMA),
        suite,
        originals=originals,
        pairs_per_attribute=pairs,
        discarded=discarded,
        seed=seed,
    )
    return pq.read_table(suite).to_pylist()


VALID = {key: (len(key) + ord(key[-1])) % 3 > 0 for key in ALL_IDS}
MANY = [
    row
    for number in range(20)
    for row in _mutants(f"o{number}", valid={f"o{number}{key[1:]}": VALID[key] for key in VALID})
]


def test_a_suite_is_every_valid_mutant_of_the_pairs_it_draws(tmp_path: Path) -> None:
    suite = _select(tmp_path, MANY, originals=7, pairs=1)
    assert len({row["original_id"] for row in suite}) == 7
    pairs: dict[str, set[str]] = {}
    for row in suite:
        pairs.setdefault(row["original_id"], set()).update(row["pair_ids"])
    for drawn in pairs.values():
        attributes = [pair.split(":")[0] for pair in drawn]
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
        row | {"drawn": row["mutant_id"].endswith("race:x>p")} if row["order"] == 3 else row
        for row in MANY
    ]
    suite = _select(tmp_path, sampled, originals=2, pairs=1)
    found = {row["mutant_id"] for row in suite}
    drawn = [row for row in sampled if row["drawn"] and row["valid"]]
    assert {row["mutant_id"] for row in suite if row["drawn"]} == {
        row["mutant_id"] for row in drawn
    }
    valid = {row["mutant_id"] for row in sampled if row["valid"]}
    subsets = {
        "|".join([row["original_id"], *subset])
        for row in drawn
        for order in (1, 2)
        for subset in combinations(row["pair_ids"], order)
    }
    assert subsets & valid <= found
    alone = _select(tmp_path, MANY, originals=2, pairs=1)
    own = {row["mutant_id"] for row in alone if row["order"] < 3}
    assert {row["mutant_id"] for row in suite if row["drawn"] is None} == own
    assert {row["mutant_id"] for row in suite if row["drawn"] is False} == subsets & valid - own
    assert len({row["original_id"] for row in suite if row["order"] == 3}) > 2
