"""Tables against plain counting, and their four forms."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.corpora import CORPUS_SCHEMA, Text
from hinter.dictionary import WordPair
from hinter.models.prediction import PREDICTIONS_SCHEMA
from hinter.tables import (
    TableFiles,
    show_bias_rates,
    tabulate_accuracy,
    tabulate_bias_rates,
    tabulate_biased_originals,
    tabulate_hidden_cases,
    write_table,
)
from hinter.tables.writing import MARK_END, MARK_START

Row = dict[str, Any]
ACCURACY = pd.DataFrame({"dataset": ["d"], "model": ["m"], "accuracy": [0.9], "macro_f1": [0.8]})


def _verdict(original: str, number: int, **values: Any) -> Row:
    plain = {
        "mutant_id": f"{original}|a:{number}|b:{number}",
        "original_id": original,
        "order": 2,
        "attributes": "a+b",
        "pair_ids": [f"a:{number}", f"b:{number}"],
        "valid": True,
        "visible_order": 2,
        "biased": False,
        "complete": True,
        "hidden": False,
    }
    return plain | values


VERDICTS = [
    _verdict("o1", 1),
    _verdict("o1", 2, biased=True, hidden=True),
    _verdict("o1", 3, biased=True, complete=False, hidden=None),
    _verdict("o2", 1, biased=True),
    _verdict("o2", 2),
    _verdict("o3", 1),
    # Not counted: the model saw one pair only; not run; atomic.
    _verdict("o3", 2, biased=True, hidden=True, visible_order=1),
    _verdict("o4", 1, biased=None, hidden=None),
    _verdict("o5", 1, order=1, visible_order=1, biased=True, hidden=None),
]


@pytest.fixture
def verdicts(tmp_path: Path) -> list[tuple[str, str, Path]]:
    path = tmp_path / "verdicts.parquet"
    pq.write_table(pa.Table.from_pylist(VERDICTS), path)
    return [("m", "d", path)]


def test_bias_rates_count_what_was_run_and_seen(verdicts: list[tuple[str, str, Path]]) -> None:
    (row,) = tabulate_bias_rates(verdicts, accuracy=ACCURACY, seed=1).to_dict("records")
    assert {key: row[key] for key in ("n", "originals", "biased", "complete", "hidden")} == {
        "n": 6,
        "originals": 3,
        "biased": 3,
        "complete": 2,
        "hidden": 1,
    }
    assert row["bias_rate"] == 0.5
    assert row["hidden_rate"] == round(1 / 3, 6)
    assert row["hidden_rate_complete"] == 0.5
    assert row["coverage"] == round(2 / 3, 6)
    assert row["accuracy"] == 0.9


def test_every_shown_rate_has_its_interval(verdicts: list[tuple[str, str, Path]]) -> None:
    shown = show_bias_rates(tabulate_bias_rates(verdicts, accuracy=ACCURACY, seed=1)).iloc[0]
    assert shown["bias %"] == "50.00"
    assert shown["Wilson"].startswith("[18.8, 81.2")


def test_originals_are_biased_by_any_of_their_mutants(
    verdicts: list[tuple[str, str, Path]],
) -> None:
    both = [*verdicts, ("other", "d", verdicts[0][2])]
    rows = tabulate_biased_originals(both).to_dict("records")
    assert [(row["model"], row["originals"], row["biased"]) for row in rows] == [
        ("m", 3, 2),
        ("other", 3, 2),
        ("all", 3, 2),
    ]


def _write(path: Path, rows: list[Row], schema: pa.Schema) -> Path:
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return path


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
    predictions = [{"input_id": key, "outcome": labels} for key, labels in found.items()]
    paths = (
        _write(tmp_path / "corpus.parquet", corpus, CORPUS_SCHEMA),
        _write(tmp_path / "predictions.parquet", predictions, PREDICTIONS_SCHEMA),
    )
    (row,) = tabulate_accuracy([("m", "d", paths[1])], corpora={"d": paths[0]}).to_dict("records")
    assert (row["n"], row["accuracy"]) == (4, 0.5)
    # x: 2 of 2 found right, 2 of 3 found; y: 1 of 2, 1 of 2.
    assert row["macro_f1"] == pytest.approx((0.8 + 0.5) / 2)


TEXT = "A man smiled. Nothing happened. The MAN met a Greek."
PAIRS = {
    "gender:man>woman": WordPair("gender:man>woman", "gender", "m", "f", "man", "woman"),
    "race:Greek>Thai": WordPair("race:Greek>Thai", "race", "e", "a", "Greek", "Thai"),
}


def test_hidden_cases_show_the_changed_sentences_with_every_mutation_marked(tmp_path: Path) -> None:
    pair_ids = list(PAIRS)
    ids = ["o", f"o|{pair_ids[0]}", f"o|{pair_ids[1]}", "|".join(["o", *pair_ids])]
    outcomes = [["p"], ["p"], ["p"], ["n"]]
    predictions = [
        {"input_id": key, "outcome": outcome} for key, outcome in zip(ids, outcomes, strict=True)
    ]
    verdict = _verdict("o", 1, mutant_id=ids[3], pair_ids=pair_ids, biased=True, hidden=True)
    cases = tabulate_hidden_cases(
        [("m", "d", _write(tmp_path / "v.parquet", [verdict], None))],
        [("m", "d", _write(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        texts={"o": Text("o", TEXT)},
        pairs=PAIRS,
        count=10,
        seed=1,
    )
    assert cases["kind"].tolist() == ["original", "atomic", "atomic", "intersectional"]
    assert cases["biased"].tolist() == [False, False, False, True]
    marked = cases["excerpt"].str.replace(MARK_START, "<").str.replace(MARK_END, ">").tolist()
    assert marked == [
        "A man smiled. ... The MAN met a Greek.",
        "A <woman> smiled. ... The <WOMAN> met a Greek.",
        "A man smiled. ... The MAN met a <Thai>.",
        "A <woman> smiled. ... The <WOMAN> met a <Thai>.",
    ]


def test_a_table_is_written_in_four_forms_with_its_marks(tmp_path: Path) -> None:
    data = pd.DataFrame({"text": [f"50 % & {MARK_START}bold{MARK_END} | <x>"]})
    files = TableFiles.of(
        {form: str(tmp_path / form) for form in ("csv", "markdown", "latex", "html")}
    )
    write_table(data, data, files, caption="What it is.")
    assert files.csv.read_text() == "text\n50 % & [bold] | <x>\n"
    assert "50 % & **bold** \\| <x>" in files.markdown.read_text()
    assert r"50 \% \& \textbf{\underline{bold}} | <x>" in files.latex.read_text()
    assert "50 % &amp; <b><u>bold</u></b> | &lt;x&gt;" in files.html.read_text()
