"""Accuracy on held-out texts, by hand."""

from hashlib import md5
from pathlib import Path

import pandas as pd
import pytest
from hinter.corpora import CORPUS_SCHEMA
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.tables.rq1.answers import tabulate_accuracy
from result_files import write_rows


def test_accuracy_is_the_share_of_held_out_texts_with_exactly_the_right_labels(
    tmp_path: Path,
) -> None:
    expected = {"h1": ["x"], "h2": ["x"], "h3": ["y"], "h4": ["x", "y"], "t1": ["x"]}
    found = {"h1": ["x"], "h2": ["y"], "h3": ["y"], "h4": ["x"], "t1": ["y"]}
    corpus = [
        {
            "original_id": key,
            "split": "tested" if key == "t1" else "held_out",
            "text": key,
            "labels": labels,
        }
        for key, labels in expected.items()
    ]
    predictions = [
        {"input_id": key, "outcome": labels, "status": "ok"} for key, labels in found.items()
    ]
    paths = (
        write_rows(tmp_path / "corpus.parquet", corpus, CORPUS_SCHEMA),
        write_rows(tmp_path / "predictions.parquet", predictions, PREDICTIONS_SCHEMA),
    )
    (row,) = tabulate_accuracy(
        [("m", "d", paths[1])], corpora=[("corpora", "d", paths[0])], limits=[], seed=1
    ).to_dict("records")
    assert (row["n"], row["accuracy"]) == (4, 0.5)
    # x: 2 of 2 found right, 2 of 3 found; y: 1 of 2, 1 of 2.
    assert row["macro_f1"] == pytest.approx((0.8 + 0.5) / 2)


def _held_out(folder: Path, answers: list[tuple[list[str], list[str] | None, str]]) -> pd.DataFrame:
    """The accuracy of answers (expected labels, outcome, status) on held-out texts."""
    corpus = [
        {"original_id": f"h{number}", "split": "held_out", "text": "", "labels": expected}
        for number, (expected, _, _) in enumerate(answers)
    ]
    predictions = [
        {"input_id": f"h{number}", "outcome": outcome, "status": status}
        for number, (_, outcome, status) in enumerate(answers)
    ]
    corpora = [("corpora", "d", write_rows(folder / "corpus.parquet", corpus, CORPUS_SCHEMA))]
    path = write_rows(folder / "predictions.parquet", predictions, PREDICTIONS_SCHEMA)
    return tabulate_accuracy([("m", "d", path)], corpora=corpora, limits=[], seed=1)


def test_no_label_is_right_where_none_applies_and_a_refusal_never(tmp_path: Path) -> None:
    table = _held_out(
        tmp_path,
        [
            ([], None, "none"),
            ([], None, "refused"),
            ([], None, "unparsed"),
            ([], ["x"], "ok"),
            (["x"], ["x"], "ok"),
            (["x"], None, "none"),
            (["x"], None, "refused"),
            (["x", "y"], ["x", "y"], "ok"),
        ],
    )
    (row,) = table.to_dict("records")
    assert (row["n"], row["accuracy"]) == (8, 3 / 8)
    # x: right 2, found 3, due 4; y: right 1, found 1, due 1.
    assert row["micro_f1"] == pytest.approx(2 * 3 / (4 + 5), abs=1e-6)
    assert row["macro_f1"] == pytest.approx((4 / 7 + 1) / 2, abs=1e-6)


@pytest.mark.parametrize(
    ("second", "accuracy", "f1"),
    [((["x"], "ok"), 1, 1), ((None, "none"), 0.5, 2 / 3), ((None, "refused"), 0.5, 2 / 3)],
)
def test_held_out_texts_of_one_label_have_scores_too(
    second: tuple[list[str] | None, str], accuracy: float, f1: float, tmp_path: Path
) -> None:
    (row,) = _held_out(tmp_path, [(["x"], ["x"], "ok"), (["x"], *second)]).to_dict("records")
    assert row["accuracy"] == accuracy
    assert (row["micro_f1"], row["macro_f1"]) == pytest.approx((f1, f1), abs=1e-6)


def test_a_dataset_without_labels_has_no_accuracy(tmp_path: Path) -> None:
    assert _held_out(tmp_path, [([], ["x"], "ok"), ([], None, "none")]).empty


def test_only_the_held_out_texts_that_a_limit_gives_a_model_count(tmp_path: Path) -> None:
    # All were answered, as held-out texts may have mutants, too.
    names = [f"h{number}" for number in range(9)]
    corpus = [
        {"original_id": name, "split": "held_out", "text": "", "labels": ["x"]} for name in names
    ]
    first = sorted(names, key=lambda name: md5(f"3:{name}".encode()).hexdigest())[:4]
    predictions = [
        {"input_id": name, "outcome": ["x"] if name in first else ["y"], "status": "ok"}
        for name in names
    ]
    corpora = [("corpora", "d", write_rows(tmp_path / "corpus.parquet", corpus, CORPUS_SCHEMA))]
    path = write_rows(tmp_path / "predictions.parquet", predictions, PREDICTIONS_SCHEMA)
    limits = [{"models": ["m"], "datasets": None, "held_out": 4}]
    rows = tabulate_accuracy(
        [("m", "d", path), ("n", "d", path)], corpora=corpora, limits=limits, seed=3
    )
    assert rows["n"].tolist() == [4, 9]
    assert rows["accuracy"].tolist() == pytest.approx([1, 4 / 9], abs=1e-6)
