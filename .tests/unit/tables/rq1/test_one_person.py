"""Bias rates by whether a mutant concerns one person, by hand and against plain counting."""

from collections import Counter
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
from hinter.tables.rq1.one_person import TABLE, tabulate_one_person
from random_studies import RandomStudy
from result_files import Row, verdict_row, write_rows

LABELS = ["no", "unknown", "yes"]


def test_rates_are_apart_for_one_person_and_for_several(tmp_path: Path) -> None:
    def row(original: str, number: int, told: str | None, **values: object) -> Row:
        return verdict_row(original, number, one_person=told, **values)

    rows = [
        row("o1", 1, "yes", biased=True, hidden=True),
        row("o1", 2, "yes"),
        row("o2", 1, "yes", biased=True, complete=False, hidden=None),
        row("o2", 2, "no", biased=True, hidden=True),
        row("o1", 3, "unknown"),
        row("o3", 1, "yes", order=3, visible_order=3),
        row("o1", 4, "yes", operator="describe", biased=True),
        # Not counted, or of one attribute, or made by no substitution.
        row("o3", 2, "yes", valid=False, biased=True, hidden=True),
        row("o3", 3, None, order=1, visible_order=1, biased=True, hidden=None),
        row("o3", 4, None, biased=True),
    ]
    path = write_rows(tmp_path / "v.parquet", rows)
    rates = tabulate_one_person([("m", "d", path)], seed=1)
    assert rates.columns.tolist() == list(TABLE.columns)
    counts = ["order", "operator", "one_person", "n", "originals", "biased", "complete", "hidden"]
    assert rates[counts].values.tolist() == [
        [2, "describe", "yes", 1, 1, 1, 1, 0],
        [2, "literal", "no", 1, 1, 1, 1, 1],
        [2, "literal", "unknown", 1, 1, 0, 0, 0],
        [2, "literal", "yes", 3, 2, 2, 1, 1],
        [3, "literal", "yes", 1, 1, 0, 0, 0],
    ]
    assert rates["share"].tolist() == [1, 0.2, 0.2, 0.6, 1]
    assert rates["bias_rate"].tolist() == [1, 1, 0, 0.666667, 0]
    shown = TABLE.show(rates)
    assert shown["bias %"].tolist() == ["100.00", "100.00", "0.00", "66.67", "0.00"]
    assert shown["hidden % of complete"].tolist()[3] == "100.00"
    assert shown["hidden % of complete"].tolist()[4] == "-"


def test_random_studies_are_counted_as_by_hand(tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=5)
    expected: Counter[tuple[object, ...]] = Counter()
    parts = []
    for model, dataset, path in study.parts:
        table = pq.read_table(path).to_pylist()
        for number, row in enumerate(table):
            row["one_person"] = LABELS[number % 3] if row["order"] > 1 else None
        parts.append((model, dataset, write_rows(tmp_path / model / f"{dataset}.pq", table)))
        for row in table:
            if row["counted"] and row["order"] > 1:
                key = (model, dataset, row["order"], row["one_person"])
                for name in ("n", "biased", "hidden"):
                    expected[*key, name] += bool(name == "n" or row[name])
    rates = tabulate_one_person(parts, seed=1)
    for row in rates.to_dict("records"):
        key = tuple(row[name] for name in ("model", "dataset", "order", "one_person"))
        for name in ("n", "biased", "hidden"):
            assert row[name] == expected[*key, name]
    assert rates["n"].sum() == sum(n for key, n in expected.items() if key[-1] == "n") > 100


def test_a_study_without_such_mutants_has_an_empty_table(tmp_path: Path) -> None:
    rows = [verdict_row("o", 1, order=1, visible_order=1, one_person=None)]
    rates = tabulate_one_person([("m", "d", write_rows(tmp_path / "v.parquet", rows))], seed=1)
    pd.testing.assert_index_equal(rates.columns, pd.Index(TABLE.columns))
    assert rates.empty and TABLE.show(rates).empty
