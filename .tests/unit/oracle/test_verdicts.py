"""Bias, hidden bias and shifts, against plain loops over small random studies."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.mutants import SUITE_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA, judge_mutants
from hinter.oracle import verdicts as oracle
from hinter.predictions import PREDICTIONS_SCHEMA
from hypothesis import given, settings
from hypothesis import strategies as st
from lattices import ALL_IDS, MANY, mutants_of
from result_files import Row, write_rows
from tries import tries


def _prediction(input_id: str, outcome: list[str] | None) -> Row:
    return {
        "input_id": input_id,
        "outcome": outcome,
        "status": "identical" if outcome is None else "ok",
        "visible_order": input_id.count("|"),
        "input_hash": "",
    }


def _judge(
    folder: Path,
    suite: list[Row],
    outcomes: dict[str, list[str] | None],
    *,
    hidden_lookup: str = "pairs",
    favourable: Sequence[str] = (),
) -> list[Row]:
    predictions = [_prediction(key, outcome) for key, outcome in outcomes.items()]
    verdicts = folder / "verdicts.parquet"
    judge_mutants(
        write_rows(folder / "suite.parquet", suite, SUITE_SCHEMA),
        write_rows(folder / "predictions.parquet", predictions, PREDICTIONS_SCHEMA),
        verdicts,
        outcome_statuses=[],
        hidden_lookup=hidden_lookup,
        favourable=favourable,
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
        "counted": row["valid"] and row["sampled"] is not False and biased_of[whole] is not None,
        "complete": complete,
        "hidden": hidden,
        "minimal_subsets": sorted(minimal),
    }


OUTCOME = st.sampled_from([["n"], ["p"], ["p"], ["p"], None])


@pytest.mark.long
@tries(15, 60)
def test_verdicts_equal_plain_loops_over_the_lattice(
    tried: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    @settings(max_examples=tried, deadline=None, derandomize=True)
    @given(
        st.dictionaries(st.sampled_from(ALL_IDS), OUTCOME, min_size=5),
        st.dictionaries(st.sampled_from(ALL_IDS), st.sampled_from([None, True, False])),
    )
    def check(outcomes: dict[str, list[str] | None], sampled: dict[str, bool | None]) -> None:
        suite = [
            row | {"sampled": sampled.get(row["mutant_id"])}
            for row in mutants_of("o", valid={})
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

    check()


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
    suite = [row for row in mutants_of("o", valid={}) if row["mutant_id"] in outcomes]
    verdicts = {row["mutant_id"]: row for row in _judge(tmp_path, suite, outcomes)}
    assert verdicts[f"o|{age_p}|{race_p}"]["hidden"] is True
    assert verdicts[f"o|{age_q}|{race_p}"]["hidden"] is False
    assert verdicts[f"o|{age_q}|{race_p}"]["minimal_subsets"] == [age_q]


@pytest.mark.parametrize(
    ("before", "after", "worse", "better"),
    [
        (["p"], ["n"], True, False),
        (["n"], ["p"], False, True),
        (["p"], ["p"], False, False),
        (["n"], ["m"], False, False),
        (["n", "p"], ["n"], True, False),
        (["p"], None, None, None),
    ],
)
def test_worse_is_what_loses_the_favourable_labels(
    before: list[str],
    after: list[str] | None,
    worse: bool | None,
    better: bool | None,
    tmp_path: Path,
) -> None:
    outcomes: dict[str, list[str] | None] = {"o": before, "o|age:x>p": after}
    suite = [row for row in mutants_of("o", valid={}) if row["mutant_id"] in outcomes]
    (row,) = _judge(tmp_path, suite, outcomes, favourable=["p", "what's good"])
    assert (row["worse"], row["better"]) == (worse, better)
    assert row["favoured"] is (None if after is None else "p" in before)
    (row,) = _judge(tmp_path, suite, outcomes)
    assert (row["worse"], row["better"], row["favoured"]) == (None, None, None)


def test_by_attributes_no_sub_mutant_of_another_operator_stands_for_one(tmp_path: Path) -> None:
    ids = ["o|age:x>p", "o|race:x>p", "o|age:x>q|race:x>q"]
    suite = [row for row in mutants_of("o", valid={}) if row["mutant_id"] in ids]
    outcomes = {"o": ["p"], ids[0]: ["p"], ids[1]: ["p"], ids[2]: ["n"]}
    for operator, hidden in (("literal", True), ("describe", None)):
        told = [
            row | {"operator": operator if row["mutant_id"] == ids[1] else "literal"}
            for row in suite
        ]
        judged = _judge(tmp_path, told, outcomes, hidden_lookup="attributes")
        assert [row["hidden"] for row in judged if row["order"] == 2] == [hidden]


def test_by_attributes_the_first_sub_mutant_that_was_run_stands_for_all(tmp_path: Path) -> None:
    """As in the authors' code, whose order was that of a set; here it is that of the ids."""
    outcomes = {
        "o": ["p"],
        "o|age:x>p": ["p"],
        "o|age:x>q": ["n"],
        "o|race:x>q": ["p"],
        "o|age:x>p|race:x>p": ["n"],
        "o|age:x>q|race:x>q": ["n"],
        # What was discarded stands for nothing, and what was not run cannot.
        "o|body:x>p": ["n"],
        "o|body:x>q": ["p"],
        "o|age:x>p|body:x>q": ["n"],
        "other": ["p"],
        "other|age:x>q": ["n"],
        "other|race:x>p": ["p"],
        "other|age:x>q|race:x>p": ["n"],
    }
    rows = mutants_of("o", valid={"o|body:x>p": False}) + mutants_of("other", valid={})
    suite = [row for row in rows if row["mutant_id"] in outcomes]
    judged = _judge(tmp_path, suite, outcomes, hidden_lookup="attributes")
    hidden = {row["mutant_id"]: row["hidden"] for row in judged if row["order"] == 2}
    assert hidden == {
        "o|age:x>p|race:x>p": True,
        "o|age:x>q|race:x>q": True,
        "o|age:x>p|body:x>q": True,
        "other|age:x>q|race:x>p": False,
    }
    by_pairs = {row["mutant_id"]: row["hidden"] for row in _judge(tmp_path, suite, outcomes)}
    assert {key: by_pairs[key] for key in hidden} == {
        "o|age:x>p|race:x>p": None,
        "o|age:x>q|race:x>q": False,
        "o|age:x>p|body:x>q": True,
        "other|age:x>q|race:x>p": False,
    }


def test_a_sub_mutant_that_was_discarded_leaves_hidden_bias_open(tmp_path: Path) -> None:
    """Whatever its outcome: it says nothing about a valid mutant."""
    outcomes = {"o": ["p"], "o|age:x>p": ["p"], "o|body:x>p": ["n"], "o|age:x>p|body:x>p": ["n"]}
    rows = mutants_of("o", valid={"o|body:x>p": False})
    suite = [row for row in rows if row["mutant_id"] in outcomes]
    verdicts = {row["mutant_id"]: row for row in _judge(tmp_path, suite, outcomes)}
    assert verdicts["o|body:x>p"]["biased"] is True
    whole = verdicts["o|age:x>p|body:x>p"]
    assert (whole["biased"], whole["complete"], whole["hidden"]) == (True, False, None)
    assert whole["minimal_subsets"] == ["age:x>p|body:x>p"]


def test_multi_label_outcomes_are_compared_as_sets_in_one_order(tmp_path: Path) -> None:
    outcomes = {"o": ["a", "b"], "o|age:x>p": ["a", "b"], "o|race:x>p": ["a"]}
    suite = [row for row in mutants_of("o", valid={}) if row["mutant_id"] in outcomes]
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
    suite = [row for row in mutants_of("o", valid={}) if row["mutant_id"] in statuses]
    predictions = [
        _prediction(key, ["p"] if status == "ok" else None) | {"status": status}
        for key, status in statuses.items()
    ]
    verdicts = folder / "verdicts.parquet"
    judge_mutants(
        write_rows(folder / "suite.parquet", suite, SUITE_SCHEMA),
        write_rows(folder / "predictions.parquet", predictions, PREDICTIONS_SCHEMA),
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


def test_a_follow_up_that_changes_no_attribute_has_a_verdict(tmp_path: Path) -> None:
    suite = [
        {
            "mutant_id": f"o|MR{number}",
            "original_id": "o",
            "order": 0,
            "attributes": "",
            "pair_ids": [],
            "valid": True,
            "control": False,
        }
        for number in (1, 2)
    ]
    outcomes: dict[str, list[str] | None] = {"o": ["sad"], "o|MR1": ["sad"], "o|MR2": ["happy"]}
    predictions = [
        _prediction(key, value) | {"visible_order": 0} for key, value in outcomes.items()
    ]
    verdicts = tmp_path / "verdicts.parquet"
    judge_mutants(
        write_rows(tmp_path / "suite.parquet", suite, SUITE_SCHEMA),
        write_rows(tmp_path / "predictions.parquet", predictions, PREDICTIONS_SCHEMA),
        verdicts,
        outcome_statuses=[],
    )
    rows = pq.read_table(verdicts).to_pylist()
    assert [row["biased"] for row in rows] == [False, True]
    assert all(row["counted"] and row["complete"] and row["hidden"] is None for row in rows)
    assert [row["minimal_subsets"] for row in rows] == [[], []]


# Shifts: how far a mutant moves a model from the outcome of the original.

PAIRS = ("age:x>p", "age:x>q", "race:x>p")
LABELS = ("a", "b", "c")

Scores = Mapping[str, float] | None
Prediction = tuple[Sequence[str] | None, Scores]


def _shifts(folder: Path, predictions: Mapping[str, Prediction]) -> dict[str, Any]:
    """Return the shift of each mutant, by its id."""
    suite = [
        {
            "mutant_id": key,
            "original_id": key.split("|")[0],
            "order": 1,
            "attributes": key.split("|")[1].split(":")[0],
            "pair_ids": key.split("|")[1:],
            "valid": True,
            "control": False,
        }
        for key in predictions
        if "|" in key
    ]
    rows = [
        {
            "input_id": key,
            "outcome": outcome,
            "status": "none" if outcome is None else "ok",
            "scores": scores,
            "visible_order": key.count("|"),
            "input_hash": "",
        }
        for key, (outcome, scores) in predictions.items()
    ]
    files = {
        "suite": pa.Table.from_pylist(suite, schema=SUITE_SCHEMA),
        "predictions": pa.Table.from_pylist(rows, schema=PREDICTIONS_SCHEMA),
    }
    for name, table in files.items():
        pq.write_table(table, folder / name)
    verdicts = folder / "verdicts"
    judge_mutants(folder / "suite", folder / "predictions", verdicts, outcome_statuses=["none"])
    found = pq.read_table(verdicts).to_pylist()
    for row in found:
        assert row["margin"] == _rounded_margin(row["mutant_id"], predictions)
    return {
        row["mutant_id"]: None if row["shift"] is None else round(row["shift"], 2) for row in found
    }


def _rounded_margin(key: str, predictions: Mapping[str, Prediction]) -> float | None:
    """Return the margin of the original's outcome by a mutant's scores, as it is kept."""
    outcome, scores = predictions[key.split("|")[0]][0], predictions[key][1]
    if outcome is None or scores is None or not {*outcome} <= scores.keys():
        return None
    return float(np.float32(_margin(outcome, scores)))


def _two(score: float) -> dict[str, float]:
    return {"n": -score, "p": score}


def test_a_shift_is_negative_away_from_the_outcome_of_the_original(tmp_path: Path) -> None:
    shifts = _shifts(
        tmp_path,
        {
            "o": (["p"], _two(1.5)),
            f"o|{PAIRS[0]}": (["p"], _two(0.25)),
            f"o|{PAIRS[1]}": (["n"], _two(-0.5)),
            f"o|{PAIRS[2]}": (["p"], _two(4.0)),
            "q": (["n"], _two(-2.0)),
            f"q|{PAIRS[0]}": (["n"], _two(-1.0)),
            f"q|{PAIRS[2]}": (["n"], _two(-2.0)),
        },
    )
    assert list(shifts.values()) == [-1.25, -2.0, 2.5, -1.0, 0.0]


def test_of_labels_that_exclude_each_other_the_outcomes_own_counts(tmp_path: Path) -> None:
    """Also where it is less likely than not, and where the mutant has another."""
    shifts = _shifts(
        tmp_path,
        {
            "o": (["b"], {"a": -1.2, "b": -0.4, "c": -0.62}),
            f"o|{PAIRS[0]}": (["c"], {"a": -3.1, "b": -0.8, "c": 0.5}),
            f"o|{PAIRS[1]}": (["a"], {"a": 0.9, "b": -0.95, "c": -8.1}),
        },
    )
    assert list(shifts.values()) == [-0.4, -0.55]


def test_where_a_text_may_have_several_labels_the_one_that_is_closest_to_a_change_counts(
    tmp_path: Path,
) -> None:
    shifts = _shifts(
        tmp_path,
        {
            "o": (["a", "b"], {"a": 3.0, "b": 1.0, "c": -2.0}),
            # A label of the outcome is lost, and another one gained.
            f"o|{PAIRS[0]}": (["a"], {"a": 3.0, "b": -0.5, "c": -2.0}),
            f"o|{PAIRS[1]}": (["a", "b", "c"], {"a": 3.0, "b": 1.0, "c": 0.5}),
            f"o|{PAIRS[2]}": (["a", "b"], {"a": 0.5, "b": 2.0, "c": -2.0}),
            # None applies.
            "q": ([], {"a": -3.0, "b": -1.0, "c": -2.0}),
            f"q|{PAIRS[0]}": ([], {"a": -3.0, "b": -4.0, "c": -1.5}),
            f"q|{PAIRS[1]}": (["a"], {"a": 0.25, "b": -1.0, "c": -2.0}),
        },
    )
    assert list(shifts.values()) == [-1.5, -1.5, -0.5, 0.5, -1.25]


def test_there_is_no_shift_where_either_has_no_scores(tmp_path: Path) -> None:
    shifts = _shifts(
        tmp_path,
        {
            "o": (["p"], _two(1.5)),
            f"o|{PAIRS[0]}": (["p"], None),
            # As an endpoint may give them: without the outcome's label, and without another one.
            f"o|{PAIRS[1]}": (["n"], {"n": 1.0, "x": -1.0}),
            f"o|{PAIRS[2]}": (["p"], {"p": 1.0, "x": -1.0}),
            "q": (["p"], None),
            f"q|{PAIRS[0]}": (["p"], _two(1.5)),
            "r": (None, None),
            f"r|{PAIRS[0]}": (["p"], _two(1.5)),
            f"r|{PAIRS[1]}": (None, None),
        },
    )
    assert list(shifts.values()) == [None, None, -0.5, None, None, None]


def _margin(outcome: Sequence[str], scores: Mapping[str, float]) -> float:
    return min(score if label in outcome else -score for label, score in scores.items())


SCORES = st.tuples(*[st.integers(-900, 900)] * 3)
OUTCOMES = st.lists(st.sampled_from(LABELS), unique=True).map(sorted)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(st.lists(st.tuples(OUTCOMES, SCORES), min_size=2, max_size=8))
def test_shifts_equal_plain_loops(
    tmp_path_factory: pytest.TempPathFactory, sampled: list[tuple[list[str], tuple[int, ...]]]
) -> None:
    keys = ["o", *(f"o|age:x>{number}" for number in range(len(sampled) - 1))]
    given_scores = [
        {label: score / 100 for label, score in zip(LABELS, scores, strict=True)}
        for _, scores in sampled
    ]
    outcomes = [outcome for outcome, _ in sampled]
    shifts = _shifts(
        tmp_path_factory.mktemp("oracle"),
        dict(zip(keys, zip(outcomes, given_scores, strict=True), strict=True)),
    )
    first = _margin(outcomes[0], given_scores[0])
    expected = [round(_margin(outcomes[0], scores) - first, 2) for scores in given_scores[1:]]
    assert [shifts[key] for key in keys[1:]] == expected


@settings(deadline=None, derandomize=True, max_examples=40)
@given(SCORES, SCORES)
def test_a_mutant_is_biased_where_its_margin_falls_below_0(
    tmp_path_factory: pytest.TempPathFactory, original: tuple[int, ...], mutant: tuple[int, ...]
) -> None:
    """Of models that give a text all labels whose score is 0 or more."""
    predictions: dict[str, Prediction] = {}
    for key, hundredths in [("o", original), (f"o|{PAIRS[0]}", mutant)]:
        scores = {label: score / 100 for label, score in zip(LABELS, hundredths, strict=True)}
        predictions[key] = ([label for label, score in scores.items() if score >= 0], scores)
    folder = tmp_path_factory.mktemp("oracle")
    _shifts(folder, predictions)
    (row,) = pq.read_table(folder / "verdicts").to_pylist()
    outcome, scores = predictions["o"][0] or [], predictions["o"][1] or {}
    margin = _margin(outcome, scores) + row["shift"]
    assert row["biased"] is (margin < -0.005) or abs(margin) < 0.005


def test_shifts_do_not_depend_on_the_order_of_rows_or_on_how_many_are_judged_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(1)
    keys = [f"o{number:02}{rest}" for number in range(30) for rest in ("", *_mutants())]
    predictions = {key: (["p"], _two(draw.randrange(-900, 900) / 100)) for key in keys}
    files = set()
    for size, ordered in [(10**6, keys), (7, keys[::-1]), (1, draw.sample(keys, len(keys)))]:
        monkeypatch.setattr(oracle, "SUBSETS_AT_ONCE", size)
        _shifts(tmp_path, {key: predictions[key] for key in ordered})
        files.add((tmp_path / "verdicts").read_bytes())
    assert len(files) == 1


def _mutants() -> list[str]:
    return [f"|{pair}" for pair in PAIRS]
