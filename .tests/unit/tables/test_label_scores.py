"""What scores tell of a task, and the divergence of two distributions of labels."""

import random
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.tables.label_scores import Task, divergences, read_task
from hinter.tables.table import open_results
from result_files import write_rows
from scipy.spatial.distance import jensenshannon
from scipy.special import expit

Scores = dict[str, float] | None


def _open(folder: Path, answers: dict[str, tuple[list[str], Scores]]) -> duckdb.DuckDBPyConnection:
    rows = [
        {"input_id": key, "outcome": outcome, "status": "ok", "scores": scores}
        | {"visible_order": key.count("|"), "input_hash": ""}
        for key, (outcome, scores) in answers.items()
    ]
    path = write_rows(folder / "d.parquet", rows, PREDICTIONS_SCHEMA)
    return open_results(predictions=[("m", "d", path)])


@pytest.mark.parametrize(
    ("answers", "expected", "at_zero"),
    [
        ([(["p"], {"n": -1.5, "p": 1.49}), (["n"], None)], Task(2, True), True),
        ([(["a"], {"a": 0.4, "b": -0.9, "c": -2.2})], Task(3, True), False),
        # An endpoint that gives the likeliest labels only.
        ([(["a"], {"a": 1, "b": -1}), (["a"], {"a": 1, "c": -1})], Task(3, True), False),
        # Each text has one label here, as it happens, and might have several.
        ([(["a"], {"a": 2.0, "b": -0.1})], Task(2, False), True),
        ([([], {"a": -2.0, "b": -1.0, "c": -1.0})], Task(3, False), True),
        ([(["a", "b"], {"a": 2.0, "b": 1.0, "c": -1.0})], Task(3, False), True),
        ([(["a"], None)], Task(0, False), True),
    ],
)
def test_a_task_is_told_by_its_scores(
    answers: list[tuple[list[str], Scores]], expected: Task, at_zero: bool, tmp_path: Path
) -> None:
    connection = _open(tmp_path, {f"o{n}": answer for n, answer in enumerate(answers)})
    task = read_task(connection)
    assert task == expected
    assert task.decided_at_zero == at_zero


def test_coarse_scores_of_a_hundred_labels_still_exclude_each_other(tmp_path: Path) -> None:
    """Below -5, scores are rounded down to tenths."""
    shares = np.array([0.4, *[0.6 / 99] * 99])
    odds = np.log(shares / (1 - shares))
    scores = {f"{n:02}": float(np.floor(10 * each) / 10) for n, each in enumerate(odds)}
    assert read_task(_open(tmp_path, {"o": (["00"], scores)})) == Task(100, True)


def test_divergences_are_the_squares_of_scipys_distances(tmp_path: Path) -> None:
    draw = random.Random(1)
    answers: dict[str, tuple[list[str], Scores]] = {}
    for original in ("o", "q"):
        for key in (original, *(f"{original}|{n}" for n in range(20))):
            weights = [draw.random() ** 3 + 1e-9 for _ in "abcd"]
            odds = [float(np.log(w / (sum(weights) - w))) for w in weights]
            labels = draw.sample("abcd", 4)
            scores = dict(zip("abcd", odds, strict=True))
            answers[key] = (
                [max(scores, key=lambda label: scores[label])],
                {label: scores[label] for label in labels},
            )
    answers["o|same"] = answers["o"]
    answers["o|sure"] = ["a"], {"a": 1e4, "b": -1e4, "c": -1e4, "d": -1e4}
    answers["o|part"] = ["a"], {"a": 1.0, "b": -1.0}
    answers["o|none"] = ["a"], None
    connection = _open(tmp_path, answers)
    task = read_task(connection)
    assert task == Task(4, True)
    found = dict(connection.execute(divergences(task)).fetchall())
    assert set(found) == {key for key in answers if "|" in key} - {"o|part", "o|none"}
    for key, millionths in found.items():
        both = [answers[each][1] for each in (key.split("|")[0], key)]
        shares = [expit([scores[label] for label in "abcd"]) for scores in both if scores]
        assert millionths / 1e6 == pytest.approx(jensenshannon(*shares, base=2) ** 2, abs=1e-5)
    assert found["o|same"] == 0
