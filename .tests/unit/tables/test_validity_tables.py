"""Tables and figures of RQ2 and RQ3 against hand-made numbers and plain counting."""

import random
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.figures import Figure
from hinter.figures.rq2 import figure5_grammar
from hinter.figures.rq3 import figure6_validity, figure7_false_positives, figure8_discarded
from hinter.grammar import GRAMMAR_SCHEMA
from hinter.mutants import COUNTS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from hinter.statistics import bootstrap_rate_ratio, cluster_bootstrap, wilson_interval
from hinter.tables import describe_false_positives
from hinter.tables.rq2.figure5_grammar import show_grammar, tabulate_grammar
from hinter.tables.rq3.figure6_validity import show_validity, tabulate_validity
from hinter.tables.rq3.figure7_false_positives import show_false_positives, tabulate_false_positives
from hinter.tables.rq3.figure8_discarded import show_discarded, tabulate_discarded

Row = dict[str, Any]
Parts = list[tuple[str, str, Path]]


def _write(path: Path, rows: Iterable[Row], schema: pa.Schema) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), path)
    return path


def _original(name: str, score: float | None, *, tokens: int) -> Row:
    return {
        "input_id": name,
        "original_id": name,
        "sample": "original",
        "order": 0,
        "attributes": "",
        "tokens": tokens,
        "score": score,
    }


def _mutant(name: str, score: float | None, *, order: int = 1, valid: bool = True) -> Row:
    """The sampled mutant `original|...`."""
    return {
        "input_id": name,
        "original_id": name.split("|")[0],
        "sample": "valid" if valid else "discarded",
        "order": order,
        "attributes": "a" if order == 1 else "a+b",
        # Not the weight of the pair.
        "tokens": 1000,
        "score": score,
    }


def _verdict(name: str, biased: bool | None, **values: Any) -> Row:
    plain = {
        "mutant_id": name,
        "original_id": name.split("|")[0],
        "order": 1,
        "valid": True,
        "drawn": None,
        "visible_order": values.get("order", 1),
        "biased": biased,
    }
    return plain | values


def _verdict_files(folder: Path, rows: dict[str, list[Row]]) -> Parts:
    return [
        (model, "d", _write(folder / model / "d.parquet", verdicts, VERDICTS_SCHEMA))
        for model, verdicts in rows.items()
    ]


def _grammar_file(folder: Path, rows: list[Row]) -> Parts:
    return [("grammar", "d", _write(folder / "grammar" / "d.parquet", rows, GRAMMAR_SCHEMA))]


def _values(rows: pd.DataFrame, columns: Sequence[str]) -> list[list[Any]]:
    return rows[list(columns)].values.tolist()


SAMPLE = [
    _original("o", 90, tokens=100),
    _original("p", 80, tokens=300),
    _mutant("o|a", 88),
    _mutant("o|b", 90),
    _mutant("p|a", 81),
    _mutant("p|b", None),
    _mutant("o|a|c", 70, order=2),
    _mutant("p|z", 60, valid=False),
]


def test_scores_of_mutants_stand_beside_those_of_their_originals(tmp_path: Path) -> None:
    verdicts = _verdict_files(
        tmp_path,
        {
            "m": [
                _verdict("o|a", True),
                _verdict("o|b", False),
                _verdict("p|a", False),
                _verdict("p|b", False),
                # Not told: without a verdict, seen in part; not valid.
                _verdict("o|a|c", True, order=2, visible_order=1),
                _verdict("p|z", True, valid=False),
            ],
            "other": [_verdict("o|b", None), _verdict("p|a", True)],
        },
    )
    rows = tabulate_grammar(_grammar_file(tmp_path, SAMPLE), verdicts, margin=2.5, seed=1)
    columns = ["n", "originals", "unscored", "score_originals", "score_mutants", "difference"]
    assert _values(rows, ["model", "level", "outcome", *columns]) == [
        # Two pairs of weight 100, one of 300.
        ["all", "atomic", "all", 3, 2, 1, 84.0, 84.2, 0.2],
        ["all", "atomic", "biased", 2, 2, 0, 82.5, 82.75, 0.25],
        ["all", "atomic", "benign", 1, 1, 1, 90.0, 90.0, 0.0],
        ["all", "intersectional", "all", 1, 1, 0, 90.0, 70.0, -20.0],
        ["m", "atomic", "biased", 1, 1, 0, 90.0, 88.0, -2.0],
        ["m", "atomic", "benign", 2, 2, 1, 82.5, 83.25, 0.75],
        ["other", "atomic", "biased", 1, 1, 0, 80.0, 81.0, 1.0],
    ]
    assert set(rows["dataset"]) == {"d"}
    # One original has no interval.
    assert rows["equivalent"].tolist() == [True, True, None, None, None, True, None]
    assert (rows["difference_low"] <= rows["difference"])[rows["originals"] > 1].all()
    assert rows["difference_low"].isna().tolist() == (rows["originals"] < 2).tolist()
    shown = show_grammar(rows)
    assert shown["equivalent"].tolist()[:3] == ["yes (±2.5)", "yes (±2.5)", "- (±2.5)"]
    assert shown["difference"].tolist()[3] == "-20.00"


def test_a_difference_beyond_the_margin_is_not_equivalent(tmp_path: Path) -> None:
    grammar = _grammar_file(tmp_path, SAMPLE)
    verdicts = _verdict_files(tmp_path, {"m": []})
    (row, _) = tabulate_grammar(grammar, verdicts, margin=0.1, seed=1).to_dict("records")
    assert (row["margin"], row["equivalent"]) == (0.1, False)
    assert row["outcome"] == "all"


def test_valid_and_discarded_mutants_are_compared(tmp_path: Path) -> None:
    sample = [*SAMPLE, _mutant("o|y", 84, valid=False)]
    rows = tabulate_discarded(_grammar_file(tmp_path, sample), seed=1)
    columns = ["n", "unscored", "score_originals", "score_mutants", "difference"]
    assert _values(rows, ["dataset", "level", "check", *columns]) == [
        ["d", "all", "valid", 4, 1, 85.0, 81.833333, -3.166667],
        ["d", "all", "discarded", 2, 0, 82.5, 66.0, -16.5],
        ["d", "atomic", "valid", 3, 1, 84.0, 84.2, 0.2],
        ["d", "atomic", "discarded", 2, 0, 82.5, 66.0, -16.5],
        ["d", "intersectional", "valid", 1, 0, 90.0, 70.0, -20.0],
    ]
    assert rows["score_valid_minus_discarded"].fillna(0).tolist() == [0, 15.833333, 0, 18.2, 0]
    assert rows["difference_valid_minus_discarded"].fillna(0).tolist() == [0, 13.333333, 0, 16.7, 0]
    low, high = rows.loc[
        3, ["difference_valid_minus_discarded_low", "difference_valid_minus_discarded_high"]
    ]
    # Resampled are o alone, p alone and both: -1 + 6, 1 + 20 and 16.7.
    assert (low, high) == (5, 21)
    assert show_discarded(rows)["score: valid - discarded"].tolist()[3] == "18.20"


def test_mutants_are_counted_whole_and_by_kind(tmp_path: Path) -> None:
    counts = [("d", 1, None, 6), ("d", 1, "dep", 2), ("d", 2, "pos", 3), ("d", 3, "unchecked", 5)]
    counts += [("e", 1, None, 1), ("e", 2, "sentence_count", 4)]
    parts: Parts = []
    for dataset in ("d", "e"):
        table = [
            {"original_id": "o", "order": order, "attributes": "a", "reason": reason, "mutants": n}
            for of, order, reason, n in counts
            if of == dataset
        ]
        parts.append(("counts", dataset, _write(tmp_path / dataset, table, COUNTS_SCHEMA)))
    rows = tabulate_validity(parts)
    assert rows.columns.tolist()[2:] == [
        *("mutants", "valid", "discarded", "sentence_count", "pos", "dep"),
        *("unchecked", "valid_share"),
    ]
    assert rows.fillna(-1).values.tolist() == [
        ["all", "all", 21, 7, 9, 4, 3, 2, 5, 0.4375],
        ["all", "intersectional", 12, 0, 7, 4, 3, 0, 5, 0],
        ["all", "atomic", 9, 7, 2, 0, 0, 2, 0, 0.777778],
        ["d", "all", 16, 6, 5, 0, 3, 2, 5, 0.545455],
        ["d", "intersectional", 8, 0, 3, 0, 3, 0, 5, 0],
        ["d", "atomic", 8, 6, 2, 0, 0, 2, 0, 0.75],
        ["e", "all", 5, 1, 4, 4, 0, 0, 0, 0.2],
        ["e", "intersectional", 4, 0, 4, 4, 0, 0, 0, 0],
        ["e", "atomic", 1, 1, 0, 0, 0, 0, 0, 1],
    ]
    assert show_validity(rows)["valid %"].tolist()[0] == "43.75"
    assert tabulate_validity(parts[:1])["dataset"].unique().tolist() == ["d"]


KEYS = ["model", "level", "check"]


def test_bias_among_discarded_mutants_is_a_rate_and_a_share(tmp_path: Path) -> None:
    told = [
        *[_verdict(f"o|{n}", n < 2) for n in range(6)],
        *[_verdict(f"p|{n}", n < 1) for n in range(4)],
        *[_verdict(f"o|d{n}", n < 3, valid=False) for n in range(5)],
        *[_verdict(f"p|d{n}", n < 3, valid=False) for n in range(5)],
        # Not counted: no verdict, seen in part, of a sampled order.
        _verdict("o|x", None),
        _verdict("o|x|y", True, order=2, visible_order=1),
        _verdict("o|x|z", True, order=3, drawn=True),
        _verdict("o|x|w", True, drawn=False),
    ]
    rows = tabulate_false_positives(_verdict_files(tmp_path, {"m": told}), seed=1)
    counts = ["n", "originals", "biased", "bias_rate"]
    shares = ["mutants_share", "biased_share"]
    valid, discarded = [10, 2, 3, 0.3, 0.5, 0.333333], [10, 2, 6, 0.6, 0.5, 0.666667]
    assert _values(rows, [*KEYS, *counts, *shares]) == [
        [model, level, check, *numbers]
        for model, level in product(["all", "m"], ["all", "atomic"])
        for check, numbers in (("valid", valid), ("discarded", discarded))
    ]
    row = rows.iloc[1]
    assert tuple(row[["bias_rate_low", "bias_rate_high"]]) == pytest.approx(
        wilson_interval(6, 10), abs=1e-6
    )
    assert row["rate_ratio"] == 2
    # Resampled are o alone, p alone and both: 0.6 over 2/6, 1/4 and 0.3.
    assert tuple(row[["rate_ratio_low", "rate_ratio_high"]]) == (1.8, 2.4)
    assert rows["rate_ratio"].isna().tolist() == [True, False] * 4
    assert show_false_positives(rows)["ratio of rates"].tolist()[:2] == ["-", "2.00"]
    assert describe_false_positives(rows) == (
        "Discarded mutants are 50.00 % of the tested mutants and 66.67 % of the biased ones. Their "
        "bias rate is 60.00 % [20.5, 86.3], that of valid mutants 30.00 % [25.0, 33.3]: ratio 2.00 "
        "[1.80, 2.40], so discarded mutants are biased more often. The 6 biased discarded mutants "
        "are would-be false positives if every discarded mutant is broken, which these numbers do "
        "not show."
    )


@pytest.mark.parametrize(
    ("valid", "discarded", "said"),
    [
        ((4, 8), (1, 8), "so discarded mutants are biased less often"),
        ((4, 8), (4, 8), "so the two rates cannot be told apart"),
        ((0, 8), (4, 8), "too few for the interval of a ratio"),
        ((4, 8), (0, 8), "too few for the interval of a ratio"),
        ((0, 8), (0, 8), "None of the 480 tested mutants is biased."),
        ((4, 8), (0, 0), "There is nothing to compare"),
        ((0, 0), (0, 0), "There is nothing to compare"),
    ],
)
def test_what_is_said_of_false_positives_follows_from_the_numbers(
    valid: tuple[int, int], discarded: tuple[int, int], said: str, tmp_path: Path
) -> None:
    told = [
        _verdict(f"o{original}|{is_valid}{number}", number < biased, valid=is_valid)
        for original in range(30)
        for is_valid, (biased, n) in ((True, valid), (False, discarded))
        for number in range(n)
    ]
    rows = tabulate_false_positives(_verdict_files(tmp_path, {"m": told}), seed=1)
    assert said in describe_false_positives(rows)
    show_false_positives(rows)
    if not valid[0]:
        assert rows["rate_ratio"].isna().all()
    _draw_and_read(partial(_make, figure7_false_positives.FIGURE), rows, tmp_path)


def _random_study(folder: Path, *, seed: int) -> tuple[Parts, Parts, pd.DataFrame, pd.DataFrame]:
    """Grammar and verdict files of two datasets and two models, and their rows as frames."""
    draw = random.Random(seed)
    grammar_parts, verdict_parts, grammar, verdicts = [], [], [], []
    for dataset in ("d", "e"):
        # The same ids in both, as texts may be of several datasets.
        sample, mutants = [], []
        for number in range(12):
            original = _original(f"o{number}", _random_score(draw), tokens=draw.randrange(20, 90))
            sample.append(original)
            for place in range(draw.randrange(1, 9)):
                order, valid = draw.randrange(1, 4), draw.random() < 0.6
                name = f"o{number}|{place}"
                sample.append(_mutant(name, _random_score(draw), order=order, valid=valid))
                mutants.append((name, order, valid))
        path = _write(folder / "grammar" / f"{dataset}.parquet", sample, GRAMMAR_SCHEMA)
        grammar_parts.append(("grammar", dataset, path))
        grammar += [row | {"dataset": dataset} for row in sample]
        for model in ("m", "other"):
            told = [
                _verdict(
                    name,
                    draw.choice([True, False, False, None]),
                    order=order,
                    valid=valid,
                    visible_order=order - (draw.random() < 0.1),
                    drawn=True if order == 3 else None,
                )
                for name, order, valid in mutants
            ]
            path = _write(folder / model / f"{dataset}.parquet", told, VERDICTS_SCHEMA)
            verdict_parts.append((model, dataset, path))
            verdicts += [row | {"dataset": dataset, "model": model} for row in told]
    return grammar_parts, verdict_parts, pd.DataFrame(grammar), pd.DataFrame(verdicts)


def _random_score(draw: random.Random) -> float | None:
    return None if draw.random() < 0.1 else draw.uniform(60, 100)


def _levels(orders: "pd.Series[int]") -> "pd.Series[str]":
    return orders.map(lambda order: "atomic" if order == 1 else "intersectional")


def _pairs(grammar: pd.DataFrame) -> pd.DataFrame:
    """The sampled mutants with the score of their original and its tokens."""
    originals = grammar[grammar["sample"] == "original"]
    mutants = grammar[grammar["sample"] != "original"]
    pairs = mutants.merge(originals, on=["dataset", "original_id"], suffixes=("", "_original"))
    return pairs.assign(check=pairs["sample"], level=_levels(pairs["order"]))


def _expected_scores(pairs: pd.DataFrame) -> list[float]:
    scored = pairs.dropna(subset=["score", "score_original"])
    originals = len(scored[["dataset", "original_id"]].drop_duplicates())
    counts = [len(scored), originals, len(pairs) - len(scored)]
    if scored.empty:
        return [*counts, nan, nan, nan]
    weights = scored["tokens_original"]
    of_originals = np.average(scored["score_original"], weights=weights)
    of_mutants = np.average(scored["score"], weights=weights)
    return [*counts, of_originals, of_mutants, of_mutants - of_originals]


COLUMNS = ["n", "originals", "unscored", "score_originals", "score_mutants", "difference"]


def _assert_each(
    found: pd.DataFrame, keys: Sequence[str], columns: Sequence[str], expected: dict[Any, Any]
) -> None:
    rows = {tuple(row[key] for key in keys): row for row in found.to_dict("records")}
    assert set(rows) == set(expected)
    for key, numbers in expected.items():
        assert [rows[key][column] for column in columns] == pytest.approx(
            numbers, abs=1e-5, nan_ok=True
        ), key


@pytest.mark.parametrize("seed", range(3))
def test_scores_by_outcome_agree_with_plain_counting(seed: int, tmp_path: Path) -> None:
    grammar_parts, verdict_parts, grammar, verdicts = _random_study(tmp_path, seed=seed)
    told = verdicts[
        verdicts["biased"].notna() & (verdicts["order"] == verdicts["visible_order"])
    ].rename(columns={"mutant_id": "input_id"})
    pairs = _pairs(grammar)
    pairs = pairs[pairs["check"] == "valid"]
    by_model = told[["dataset", "input_id", "model", "biased"]].astype({"biased": bool})
    any_model = by_model.groupby(["dataset", "input_id"])["biased"].any().reset_index()
    labelled = [pairs.assign(model="all", outcome="all")]
    for outcomes in (any_model.assign(model="all"), by_model):
        merged = pairs.merge(outcomes, on=["dataset", "input_id"])
        labels = merged["biased"].map({True: "biased", False: "benign"})
        labelled.append(merged.assign(outcome=labels))
    every = pd.concat(labelled)
    every = pd.concat([every.assign(of=every["dataset"]), every.assign(of="all")])
    keys = ["model", "of", "level", "outcome"]
    expected = {key: _expected_scores(group) for key, group in every.groupby(keys)}
    found = tabulate_grammar(grammar_parts, verdict_parts, margin=1, seed=1)
    _assert_each(found, ["model", "dataset", "level", "outcome"], COLUMNS, expected)


@pytest.mark.parametrize("seed", range(3))
def test_scores_by_verdict_agree_with_plain_counting(seed: int, tmp_path: Path) -> None:
    grammar_parts, _, grammar, _ = _random_study(tmp_path, seed=seed)
    pairs = _pairs(grammar)
    expected, compared = {}, {}
    for dataset, level in product(["all", "d", "e"], ["all", "atomic", "intersectional"]):
        part = pairs[
            pairs["dataset"].isin(["d", "e"] if dataset == "all" else [dataset])
            & pairs["level"].isin(["atomic", "intersectional"] if level == "all" else [level])
        ]
        scores = {name: _expected_scores(group) for name, group in part.groupby("check")}
        expected |= {(dataset, level, name): numbers for name, numbers in scores.items()}
        leads = [scores["valid"][i] - scores["discarded"][i] for i in (4, 5)]
        compared[dataset, level] = leads
    found = tabulate_discarded(grammar_parts, seed=1)
    _assert_each(found, ["dataset", "level", "check"], COLUMNS, expected)
    names = ["score_valid_minus_discarded", "difference_valid_minus_discarded"]
    discarded = found[found["check"] == "discarded"]
    _assert_each(discarded, ["dataset", "level"], names, compared)
    for name in names:
        assert (discarded[f"{name}_low"] <= discarded[name]).all()
        assert (discarded[name] <= discarded[f"{name}_high"]).all()
        assert found[found["check"] == "valid"][name].isna().all()


@pytest.mark.parametrize("seed", range(3))
def test_bias_by_verdict_agrees_with_plain_counting(seed: int, tmp_path: Path) -> None:
    _, verdict_parts, _, verdicts = _random_study(tmp_path, seed=seed)
    told = verdicts[
        verdicts["biased"].notna()
        & (verdicts["order"] == verdicts["visible_order"])
        & verdicts["drawn"].isna()
    ]
    told = told.assign(level=_levels(told["order"]), biased=told["biased"].astype(int), n=1)
    expected, ratios = {}, {}
    for model, level in product(["all", "m", "other"], ["all", "atomic", "intersectional"]):
        part = told[
            told["model"].isin(["m", "other"] if model == "all" else [model])
            & told["level"].isin(["atomic", "intersectional"] if level == "all" else [level])
        ]
        clusters = (
            part.groupby(["dataset", "original_id", "valid"])[["biased", "n"]]
            .sum()
            .unstack(fill_value=0)
        )
        sides = {
            valid: (clusters["biased", valid], clusters["n", valid]) for valid in (True, False)
        }
        for valid, (biased, n) in sides.items():
            tried = n > 0
            interval = cluster_bootstrap(biased[tried].tolist(), n[tried].tolist(), seed=7)
            numbers = [n.sum(), tried.sum(), biased.sum(), biased.sum() / n.sum(), *interval]
            numbers += [n.sum() / len(part), biased.sum() / part["biased"].sum()]
            expected[model, level, "valid" if valid else "discarded"] = numbers
        sums = [(biased.tolist(), n.tolist()) for biased, n in (sides[False], sides[True])]
        rates = [biased.sum() / n.sum() for biased, n in (sides[False], sides[True])]
        ratio = bootstrap_rate_ratio(sums[0], sums[1], seed=7)
        ratios[model, level] = [rates[0] / rates[1], *ratio]
    columns = ["n", "originals", "biased", "bias_rate"]
    columns += ["bias_rate_cluster_low", "bias_rate_cluster_high"]
    columns += ["mutants_share", "biased_share"]
    found = tabulate_false_positives(verdict_parts, seed=7)
    _assert_each(found, KEYS, columns, expected)
    discarded = found[found["check"] == "discarded"]
    _assert_each(discarded, KEYS[:2], ["rate_ratio", "rate_ratio_low", "rate_ratio_high"], ratios)


def _make(figure: Figure, rows: Path, *, pdf: Path, png: Path) -> None:
    figure.make(tables=[str(rows)], empty="Nothing to show.", pdf=pdf, png=png)


def _draw_and_read(draw: Any, rows: pd.DataFrame, folder: Path) -> None:
    """Draw the rows as they come back from their CSV."""
    rows.to_csv(folder / "rows.csv", index=False)
    draw(folder / "rows.csv", pdf=folder / "f.pdf", png=folder / "f.png")
    assert (folder / "f.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "f.png").stat().st_size > 1000


ONLY = {
    "no discarded": [row for row in SAMPLE if row["sample"] != "discarded"],
    "only discarded": [row for row in SAMPLE if row["sample"] != "valid"],
    "one original": [row for row in SAMPLE if row["original_id"] == "o"],
    "unscored": [row | {"score": None} for row in SAMPLE],
    "originals": [row for row in SAMPLE if row["sample"] == "original"],
}


@pytest.mark.parametrize("sample", ONLY.values(), ids=ONLY)
def test_tables_and_figures_of_scores_stand_on_little(sample: list[Row], tmp_path: Path) -> None:
    grammar = _grammar_file(tmp_path, sample)
    verdicts = _verdict_files(tmp_path, {"m": [_verdict("o|a", True)]})
    by_outcome = tabulate_grammar(grammar, verdicts, margin=1, seed=1)
    by_check = tabulate_discarded(grammar, seed=1)
    show_grammar(by_outcome)
    show_discarded(by_check)
    mutants = [row for row in sample if row["sample"] != "original"]
    scored = [row for row in mutants if row["score"] is not None]
    whole = by_check[by_check["level"] == "all"]
    assert (whole["n"].sum(), whole["unscored"].sum()) == (len(scored), len(mutants) - len(scored))
    if len({row["original_id"] for row in scored}) < 2:
        assert by_outcome["equivalent"].isna().all()
        assert by_check["difference_low"].isna().all()
    assert by_check["score_valid_minus_discarded"].isna().all() or len(whole) == 2
    for figure, rows in ((figure5_grammar, by_outcome), (figure8_discarded, by_check)):
        _draw_and_read(partial(_make, figure.FIGURE), rows, tmp_path)


@pytest.mark.long
def test_figures_show_all_datasets_and_models_the_same_each_time(tmp_path: Path) -> None:
    grammar_parts, verdict_parts, _, _ = _random_study(tmp_path, seed=1)
    counts = [
        {"original_id": "o", "order": order, "attributes": "a", "reason": reason, "mutants": 9}
        for order, reason in product((1, 2), (None, "pos", "dep", "sentence_count", "unchecked"))
    ]
    path = _write(tmp_path / "counts.parquet", counts, COUNTS_SCHEMA)
    tables = {
        figure5_grammar: tabulate_grammar(grammar_parts, verdict_parts, margin=1, seed=1),
        figure8_discarded: tabulate_discarded(grammar_parts, seed=1),
        figure7_false_positives: tabulate_false_positives(verdict_parts, seed=1),
        figure6_validity: tabulate_validity([("counts", "d", path), ("counts", "e", path)]),
    }
    for figure, rows in tables.items():
        drawn = []
        for _ in range(2):
            _draw_and_read(partial(_make, figure.FIGURE), rows, tmp_path)
            drawn.append(((tmp_path / "f.pdf").read_bytes(), (tmp_path / "f.png").read_bytes()))
        assert drawn[0] == drawn[1]
