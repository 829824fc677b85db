"""Shifts: how far a mutant moves a model from the original's outcome, against plain loops."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.mutants import SUITE_SCHEMA
from hinter.oracle import judge_mutants
from hinter.oracle import verdicts as oracle
from hinter.predictions import PREDICTIONS_SCHEMA
from hypothesis import given, settings
from hypothesis import strategies as st

PAIRS = ("age:x>p", "age:x>q", "race:x>p")
LABELS = ("a", "b", "c")

Scores = Mapping[str, float] | None
Prediction = tuple[Sequence[str] | None, Scores]


def _judge(folder: Path, predictions: Mapping[str, Prediction]) -> dict[str, Any]:
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
    shifts = _judge(
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
    shifts = _judge(
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
    shifts = _judge(
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
    shifts = _judge(
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
OUTCOME = st.lists(st.sampled_from(LABELS), unique=True).map(sorted)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(st.lists(st.tuples(OUTCOME, SCORES), min_size=2, max_size=8))
def test_shifts_equal_plain_loops(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[list[str], tuple[int, ...]]]
) -> None:
    keys = ["o", *(f"o|age:x>{number}" for number in range(len(drawn) - 1))]
    given_scores = [
        {label: score / 100 for label, score in zip(LABELS, scores, strict=True)}
        for _, scores in drawn
    ]
    outcomes = [outcome for outcome, _ in drawn]
    shifts = _judge(
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
    _judge(folder, predictions)
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
        _judge(tmp_path, {key: predictions[key] for key in ordered})
        files.add((tmp_path / "verdicts").read_bytes())
    assert len(files) == 1


def _mutants() -> list[str]:
    return [f"|{pair}" for pair in PAIRS]
