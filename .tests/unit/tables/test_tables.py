"""Tables against plain counting, and their four forms."""

import random
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.corpora import CORPUS_SCHEMA, Text
from hinter.dictionary import WordPair
from hinter.mutants import COMPARATORS_SCHEMA, COUNTS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from hinter.predictions import PREDICTIONS_SCHEMA, REPEATS_SCHEMA
from hinter.statistics import wilson_interval
from hinter.tables import TableFiles
from hinter.tables.data.mutants import tabulate_mutants
from hinter.tables.rq1.accuracy import tabulate_accuracy
from hinter.tables.rq1.answers import show_answers, tabulate_answers
from hinter.tables.rq1.figure4_biased_originals import tabulate_biased_originals
from hinter.tables.rq1.noise_floor import show_noise, tabulate_noise
from hinter.tables.rq1.table1_hidden_cases import tabulate_hidden_cases
from hinter.tables.rq1.table2_bias_rates import show_bias_rates, tabulate_bias_rates
from hinter.tables.rq3.comparators import show_comparators, tabulate_comparators
from hinter.tables.writing import MARK_END, MARK_START, write_table

Row = dict[str, Any]
ALL_STATUSES = ("none", "refused", "unparsed")
STATUSES = ["ok", "identical", "none", "refused", "unparsed"]
ACCURACY = pd.DataFrame({"dataset": ["d"], "model": ["m"], "accuracy": [0.9], "macro_f1": [0.8]})


def _verdict(original: str, number: int, **values: Any) -> Row:
    plain = {
        "mutant_id": f"{original}|a:{number}|b:{number}",
        "original_id": original,
        "order": 2,
        "attributes": "a+b",
        "pair_ids": [f"a:{number}", f"b:{number}"],
        "valid": True,
        "drawn": None,
        "visible_order": 2,
        "biased": False,
        "complete": True,
        "hidden": False,
    }
    row = plain | values
    seen = row["visible_order"] == row["order"] and row["biased"] is not None
    return row | {"counted": row["valid"] and row["drawn"] is not False and seen}


VERDICTS = [
    _verdict("o1", 1),
    _verdict("o1", 2, biased=True, hidden=True),
    _verdict("o1", 3, biased=True, complete=False, hidden=None),
    _verdict("o2", 1, biased=True),
    _verdict("o2", 2),
    _verdict("o3", 1),
    # Not counted: the model saw one pair only; not run; atomic; discarded; only a sub-mutant.
    _verdict("o3", 2, biased=True, hidden=True, visible_order=1),
    _verdict("o4", 1, biased=None, hidden=None),
    _verdict("o5", 1, order=1, visible_order=1, biased=True, hidden=None),
    _verdict("o6", 1, valid=False, biased=True, hidden=True),
    _verdict("o6", 2, drawn=False, biased=True, hidden=True),
]

Results = list[tuple[str, str, Path]]


@pytest.fixture
def verdicts(tmp_path: Path) -> Results:
    path = tmp_path / "verdicts.parquet"
    pq.write_table(pa.Table.from_pylist(VERDICTS), path)
    return [("m", "d", path)]


def _counts(folder: Path, *rows: tuple[int, str | None, int]) -> Results:
    """Counts (order, reason, mutants) of the dataset d."""
    path = folder / "d.parquet"
    table = [
        {"original_id": "o", "order": order, "attributes": "a+b", "reason": reason, "mutants": n}
        for order, reason, n in rows
    ]
    pq.write_table(pa.Table.from_pylist(table, schema=COUNTS_SCHEMA), path)
    return [("counts", "d", path)]


def _bias_rates(verdicts: Results, folder: Path, *, valid: int = 100) -> pd.DataFrame:
    counts = _counts(folder, (2, None, valid), (2, "pos", 7))
    return tabulate_bias_rates(verdicts, counts, accuracy=ACCURACY, seed=1)


def test_bias_rates_count_what_was_run_and_seen(verdicts: Results, tmp_path: Path) -> None:
    (row,) = _bias_rates(verdicts, tmp_path).to_dict("records")
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


@pytest.mark.parametrize(
    ("valid", "drawn", "basis", "expected"),
    [
        (8, None, "all", (3.0, 3.0, 3.0)),
        (8, True, "all", (3.0, 3.0, 3.0)),
        # 3 of 8 sampled mutants, two of which have no verdict of their order.
        (800, True, "sample", (300.0, None, None)),
        (800, None, "suite", (None, None, None)),
    ],
)
def test_a_number_of_biased_mutants_is_exact_estimated_or_not_given(
    valid: int,
    drawn: bool | None,
    basis: str,
    expected: tuple[float | None, ...],
    tmp_path: Path,
) -> None:
    path = tmp_path / "verdicts.parquet"
    rows = [row | {"drawn": drawn} for row in VERDICTS if row["drawn"] is None]
    pq.write_table(pa.Table.from_pylist(rows), path)
    (row,) = _bias_rates([("m", "d", path)], tmp_path, valid=valid).to_dict("records")
    assert (row["valid"], row["basis"]) == (valid, basis)
    found = [row[name] for name in ("biased_valid", "biased_valid_low", "biased_valid_high")]
    for number, wanted in zip(found, expected, strict=True):
        assert wanted is None or number == wanted
    if basis == "sample":
        assert 0 <= found[1] <= found[0] <= found[2] <= valid
    if basis == "suite":
        assert all(pd.isna(number) for number in found)


def test_each_order_has_its_own_rates(tmp_path: Path) -> None:
    rows = [
        *VERDICTS,
        _verdict("o1", 9, order=3, visible_order=3, drawn=True),
        _verdict("o1", 8, order=3, visible_order=3, drawn=True, biased=True),
    ]
    path = tmp_path / "verdicts.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    counts = _counts(tmp_path, (2, None, 8), (3, None, 50))
    rates = tabulate_bias_rates([("m", "d", path)], counts, accuracy=ACCURACY, seed=1)
    assert rates[["order", "n", "valid", "basis"]].values.tolist() == [
        [2, 6, 8, "all"],
        [3, 2, 50, "sample"],
    ]


def test_mutants_are_counted_by_reason(tmp_path: Path) -> None:
    counts = _counts(tmp_path, (2, None, 6), (2, "pos", 3), (2, "dep", 1), (2, "unchecked", 5))
    path = tmp_path / "suite.parquet"
    pq.write_table(pa.Table.from_pylist([_verdict("o", 1), _verdict("o", 2, drawn=False)]), path)
    (row,) = tabulate_mutants(counts, [("suites", "d", path)]).to_dict("records")
    assert row == {
        "dataset": "d",
        "order": 2,
        "attributes": "a+b",
        "mutants": 15,
        "valid": 6,
        "sentence_count": 0,
        "pos": 3,
        "dep": 1,
        "unchecked": 5,
        "tested": 1,
        "basis": "suite",
        "valid_share": 0.6,
    }


def test_a_sampled_order_is_a_sample_whatever_its_attributes_have_of_it(tmp_path: Path) -> None:
    counts = [
        {"original_id": "o", "order": 3, "attributes": name, "reason": None, "mutants": 9}
        for name in ("a+b+c", "a+b+d")
    ]
    suite = [
        _verdict("o", 1, order=3, attributes="a+b+c", drawn=True),
        _verdict("o", 2, drawn=False),
    ]
    paths = (
        _write(tmp_path / "c.parquet", counts, COUNTS_SCHEMA),
        _write(tmp_path / "s.parquet", suite, None),
    )
    rows = tabulate_mutants([("counts", "d", paths[0])], [("suites", "d", paths[1])])
    assert rows[["attributes", "tested", "basis"]].values.tolist() == [
        ["a+b+c", 1, "sample"],
        ["a+b+d", 0, "sample"],
    ]


def test_comparators_stand_side_by_side(tmp_path: Path) -> None:
    verdicts = [
        _verdict("o1", 1, biased=True),
        _verdict("o1", 2),
        _verdict("o2", 1, valid=False, biased=True),
        _verdict("o2", 2, valid=False),
        _verdict("o3", 1, biased=None),
    ]
    said = [("valid", "valid"), ("valid", "pos"), ("dep", "dep"), ("pos", "valid"), ("valid",) * 2]
    comparators = [
        {"mutant_id": row["mutant_id"], "tolerant": first, "strict": second, "heads": "dep"}
        for row, (first, second) in zip(verdicts, said, strict=True)
    ]
    paths = (
        _write(tmp_path / "v.parquet", verdicts, None),
        _write(tmp_path / "c.parquet", comparators, COMPARATORS_SCHEMA),
    )
    table = tabulate_comparators([("m", "d", paths[0])], [("c", "d", paths[1])], seed=1)
    rows = {row["comparator"]: row for row in table.to_dict("records")}
    assert {name: (row["n"], row["valid"]) for name, row in rows.items()} == {
        "tolerant": (5, 3),
        "strict": (5, 3),
        "heads": (5, 0),
    }
    assert {name: row["agreement"] for name, row in rows.items()} == {
        "tolerant": 1.0,
        "strict": 0.6,
        "heads": 0.4,
    }
    # 0.6 of both said valid, so by chance they agree on 0.6 * 0.6 + 0.4 * 0.4 = 0.52.
    assert rows["strict"]["kappa"] == pytest.approx((0.6 - 0.52) / (1 - 0.52), abs=1e-6)
    strict = rows["strict"]
    assert (strict["bias_valid_n"], strict["bias_valid"]) == (2, 0.5)
    assert (strict["bias_discarded_n"], strict["bias_discarded"]) == (2, 0.5)
    assert (rows["heads"]["bias_valid_n"], rows["heads"]["bias_discarded_n"]) == (0, 4)
    assert show_comparators(table)["bias of valid %"].tolist()[0] == "-"


def test_every_shown_rate_has_its_interval(verdicts: Results, tmp_path: Path) -> None:
    shown = show_bias_rates(_bias_rates(verdicts, tmp_path)).iloc[0]
    assert shown["bias %"] == "50.00"
    assert shown["Wilson"].startswith("[18.8, 81.2")


def test_originals_are_biased_by_any_of_their_mutants(
    verdicts: Results,
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
    predictions = [
        {"input_id": key, "outcome": labels, "status": "ok"} for key, labels in found.items()
    ]
    paths = (
        _write(tmp_path / "corpus.parquet", corpus, CORPUS_SCHEMA),
        _write(tmp_path / "predictions.parquet", predictions, PREDICTIONS_SCHEMA),
    )
    (row,) = tabulate_accuracy(
        [("m", "d", paths[1])], corpora=[("corpora", "d", paths[0])]
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
    corpora = [("corpora", "d", _write(folder / "corpus.parquet", corpus, CORPUS_SCHEMA))]
    path = _write(folder / "predictions.parquet", predictions, PREDICTIONS_SCHEMA)
    return tabulate_accuracy([("m", "d", path)], corpora=corpora)


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


def _random_rows(seed: int, *, count: int) -> list[tuple[str, list[str] | None]]:
    """Statuses, each with an outcome or none."""
    draw = random.Random(seed)
    statuses = draw.choices([*STATUSES, "ok", "ok"], k=count)
    return [(status, [draw.choice("xy")] if status == "ok" else None) for status in statuses]


def test_answers_are_counted_by_status(tmp_path: Path) -> None:
    ids = [f"o{number}" for number in range(40)] + [f"o{number}|a:x>y" for number in range(60)]
    files, expected = [], []
    for seed, (model, dataset) in enumerate([("m", "d"), ("m", "e"), ("other", "d")]):
        rows = [
            {"input_id": key, "status": status, "outcome": outcome}
            for key, (status, outcome) in zip(ids, _random_rows(seed, count=100), strict=True)
        ]
        path = _write(tmp_path / f"{seed}.parquet", rows, PREDICTIONS_SCHEMA)
        files.append((model, dataset, path))
        for kind in ("mutants", "originals"):
            of_kind = [
                row["status"] for row in rows if ("|" in row["input_id"]) == (kind[0] == "m")
            ]
            counts = [of_kind.count(status) for status in STATUSES]
            run = len(of_kind) - counts[1]
            share = round((run - counts[0]) / run, 6)
            expected.append([model, dataset, kind, *counts, share])
    table = tabulate_answers(files)
    assert table.columns.tolist() == ["model", "dataset", "inputs", *STATUSES, "no_label"]
    assert table.values.tolist() == expected


def test_a_status_that_no_answer_has_counts_nothing(tmp_path: Path) -> None:
    rows = [{"input_id": "o", "status": "ok"}, {"input_id": "o|a", "status": "identical"}]
    path = _write(tmp_path / "p.parquet", rows, PREDICTIONS_SCHEMA)
    table = tabulate_answers([("m", "d", path)])
    assert table[STATUSES].values.tolist() == [[0, 1, 0, 0, 0], [1, 0, 0, 0, 0]]
    assert show_answers(table)["no label %"].tolist() == ["-", "0.00"]


@pytest.mark.parametrize("listed", [[], ["none", "refused"], ["none", "refused", "unparsed"]])
def test_the_noise_floor_counts_outcomes_that_differ_from_the_first(
    listed: list[str], tmp_path: Path
) -> None:
    rows = [
        {"original_id": f"o{number}", "repeat": repeat, "status": status, "outcome": outcome}
        for number in range(30)
        for repeat, (status, outcome) in enumerate(_random_rows(number, count=5), start=1)
    ]
    for row in rows:
        # A part that always says the same.
        if int(row["original_id"][1:]) % 3 == 0:
            row.update(status="ok", outcome=["x"])
    random.Random(1).shuffle(rows)
    first = {row["original_id"]: row for row in rows if row["repeat"] == 1}
    counted = [
        (row, first[row["original_id"]])
        for row in rows
        if row["repeat"] > 1
        and {row["status"], first[row["original_id"]]["status"]} <= {"ok", *listed}
    ]
    flipped = [
        row["original_id"]
        for row, other in counted
        if (row["status"], row["outcome"]) != (other["status"], other["outcome"])
    ]
    path = _write(tmp_path / "r.parquet", rows, REPEATS_SCHEMA)
    (found,) = tabulate_noise([("m", "d", path)], outcome_statuses=listed).to_dict("records")
    assert 0 < len(flipped) < len(counted)
    low, high = wilson_interval(len(flipped), len(counted))
    assert found == {
        "model": "m",
        "dataset": "d",
        "originals": len({row["original_id"] for row, _ in counted}),
        "repeats": len(counted),
        "flips": len(flipped),
        "flipped_originals": len(set(flipped)),
        "flip_rate": round(len(flipped) / len(counted), 6),
        "flip_rate_low": round(low, 6),
        "flip_rate_high": round(high, 6),
    }


def test_each_model_and_dataset_has_its_own_noise_floor(tmp_path: Path) -> None:
    same = [{"original_id": "o", "repeat": n, "status": "ok", "outcome": ["x"]} for n in (1, 2, 3)]
    changed = [row | {"outcome": ["x", "y"]} if row["repeat"] == 3 else row for row in same]
    refused = [
        row | {"status": "refused" if row["repeat"] == 1 else "none", "outcome": None}
        for row in same
    ]
    files = [
        ("m", "d", _write(tmp_path / "0.parquet", same, REPEATS_SCHEMA)),
        ("m", "e", _write(tmp_path / "1.parquet", changed, REPEATS_SCHEMA)),
        ("n", "d", _write(tmp_path / "2.parquet", refused, REPEATS_SCHEMA)),
    ]
    table = tabulate_noise(files, outcome_statuses=ALL_STATUSES)
    assert table["flips"].tolist() == [0, 1, 2]
    assert show_noise(table)["flips %"].tolist() == ["0.00", "50.00", "100.00"]


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
        [("m", "d", _write(tmp_path / "v.parquet", [verdict], VERDICTS_SCHEMA))],
        [("m", "d", _write(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        texts={"o": Text("o", TEXT)},
        pairs=PAIRS,
        count=10,
        seed=1,
    )
    assert cases["role"].tolist() == ["original", "atomic", "atomic", "intersectional"]
    assert cases["biased"].tolist() == [False, False, False, True]
    marked = cases["excerpt"].str.replace(MARK_START, "<").str.replace(MARK_END, ">").tolist()
    assert marked == [
        "A man smiled. ... The MAN met a Greek.",
        "A <woman> smiled. ... The <WOMAN> met a Greek.",
        "A man smiled. ... The MAN met a <Thai>.",
        "A <woman> smiled. ... The <WOMAN> met a <Thai>.",
    ]


def test_hidden_cases_show_what_changes_with_a_term(tmp_path: Path) -> None:
    text = "The widow lost her ring. It was Greek."
    places = [
        {"start": 4, "end": 9, "pair": 0, "role": "term"},
        {"start": 15, "end": 18, "pair": 0, "role": "determiner"},
    ]
    pair = WordPair("gender:widow>widower", "gender", "f", "m", "widow", "widower")
    verdict = _verdict(
        "o", 1, mutant_id=f"o|{pair.pair_id}", pair_ids=[pair.pair_id], places=places, hidden=True
    )
    predictions = [{"input_id": key, "outcome": [key[:1]]} for key in ("o", f"o|{pair.pair_id}")]
    cases = tabulate_hidden_cases(
        [("m", "d", _write(tmp_path / "v.parquet", [verdict], VERDICTS_SCHEMA))],
        [("m", "d", _write(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        texts={"o": Text("o", text)},
        pairs={pair.pair_id: pair},
        count=10,
        seed=1,
    )
    marked = cases["excerpt"].str.replace(MARK_START, "<").str.replace(MARK_END, ">").tolist()
    assert marked == ["The widow lost her ring.", "The <widower> lost <his> ring."]


def _files(folder: Path) -> TableFiles:
    return TableFiles.of(
        {form: str(folder / form) for form in ("csv", "markdown", "latex", "html")}
    )


def test_a_text_with_the_private_characters_of_marks_is_marked_like_any_other(
    tmp_path: Path,
) -> None:
    own = f"{MARK_END}A man{MARK_START} smiled."
    verdict = _verdict("o", 1, mutant_id="o|gender:man>woman", pair_ids=["gender:man>woman"])
    predictions = [
        {"input_id": key, "outcome": [f"p{MARK_START}"]} for key in ("o", "o|gender:man>woman")
    ]
    cases = tabulate_hidden_cases(
        [("m", "d", _write(tmp_path / "v.parquet", [verdict | {"hidden": True}], VERDICTS_SCHEMA))],
        [("m", "d", _write(tmp_path / "p.parquet", predictions, PREDICTIONS_SCHEMA))],
        texts={"o": Text("o", own)},
        pairs=PAIRS,
        count=10,
        seed=1,
    )
    files = _files(tmp_path)
    write_table(cases, cases, files, caption="", empty="", marked="excerpt")
    read = pd.read_csv(files.csv)
    assert read["excerpt"].tolist() == [
        "\ufffdA man\ufffd smiled.",
        "\ufffdA [woman]\ufffd smiled.",
    ]
    assert read["outcome"].tolist() == ["p\ufffd", "p\ufffd"]
    assert files.markdown.read_text().count("**") == 2
    for mark in ("<b>", "</b>"):
        assert files.html.read_text().count(mark) == 1
    assert files.latex.read_text().count(r"\textbf{\underline{woman}}") == 1
    assert files.latex.read_text().count("}}") == 1


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<script>alert(1)</script>", r"\<script>alert(1)\</script>"),
        ("&lt;script&#62;", r"\&lt;script\&#62;"),
        ("R & D", "R & D"),
        ("[x](javascript:alert(1))", r"[x]\(javascript:alert(1))"),
        ("[1.2, 3.4] (5)", "[1.2, 3.4] (5)"),
        ("`|` **", r"\`\|\` \*\*"),
        ("a\\", "a\\\\"),
        ("one\n\n| two", r"one \| two"),
    ],
)
def test_markdown_shows_cells_as_they_are(cell: str, expected: str, tmp_path: Path) -> None:
    data = pd.DataFrame({"text": [cell], "number": [1.5]})
    write_table(data, data, _files(tmp_path), caption="", empty="")
    row = (tmp_path / "markdown").read_text().splitlines()[2]
    assert re.fullmatch(rf"\| {re.escape(expected)} +\| +1\.5 \|", row)
    assert pd.read_csv(tmp_path / "csv")["text"].tolist() == [cell]


def test_captions_are_text_in_html_and_latex(tmp_path: Path) -> None:
    data = pd.DataFrame({"text": ["x"]})
    write_table(data, data, _files(tmp_path), caption="<b> & 5 % of a_b", empty="")
    assert "<p>&lt;b&gt; &amp; 5 % of a_b</p>" in (tmp_path / "html").read_text()
    assert r"\caption{<b> \& 5 \% of a\_b}" in (tmp_path / "latex").read_text()


def test_a_table_is_written_in_four_forms_with_its_marks(tmp_path: Path) -> None:
    data = pd.DataFrame({"text": [f"50 % & {MARK_START}bold{MARK_END} | <x>"]})
    files = _files(tmp_path)
    notes = ["5 % of my_model: a < b.", "<i>`x`"]
    write_table(data, data, files, caption="What it is.", empty="", notes=notes, marked="text")
    assert files.csv.read_text() == "text\n50 % & [bold] | <x>\n"
    markdown = files.markdown.read_text()
    assert "50 % & **bold** \\| \\<x>" in markdown
    assert markdown.endswith("\n\n5 % of my_model: a \\< b.\n\n\\<i>\\`x\\`\n")
    assert r"\caption{What it is. 5 \% of my\_model: a < b. <i>`x`}" in files.latex.read_text()
    assert "<p>5 % of my_model: a &lt; b.</p>\n<p>&lt;i&gt;`x`</p>" in files.html.read_text()
    assert r"50 \% \& \textbf{\underline{bold}} | <x>" in files.latex.read_text()
    assert "50 % &amp; <b><u>bold</u></b> | &lt;x&gt;" in files.html.read_text()
