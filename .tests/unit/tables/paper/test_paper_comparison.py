"""The paper's numbers and those of a study."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pandas as pd
import pytest
from hinter.tables.paper import paper_comparison
from hinter.tables.paper.of_paper import QUANTITIES, paper_numbers
from hinter.tables.paper.paper_comparison import TABLE, compare_with_paper, show_comparison
from hinter.tables.published.counts import Published
from hinter.tables.published.numbers import quote

Tables = dict[str, pd.DataFrame | None]
LEGAL = ("ecthr_a", "eurlex", "ledgar", "scotus")
ENCODERS = ("bert", "deberta", "legal-bert", "roberta")


def _interval(name: str, value: float, *, width: float = 0.1, end: str = "") -> dict[str, float]:
    return {name: value, f"{name}{end}_low": value - width, f"{name}{end}_high": value + width}


def _rates(*runs: tuple[str, str], rate: float = 0.05, width: float = 0.01) -> pd.DataFrame:
    """The rates of runs, with all totals."""
    keys = {pair for run in runs for pair in product((run[0], "all"), (run[1], "all"))}
    hidden = _interval("hidden_rate_complete", 0.5, end="_cluster")
    rates = _interval("bias_rate", rate, width=width, end="_cluster") | hidden
    return pd.DataFrame(
        [{"dataset": dataset, "model": model, **rates} for model, dataset in sorted(keys)]
    )


def _study(*runs: tuple[str, str], rate: float = 0.05, width: float = 0.01) -> Tables:
    """The tables of a study of these models and datasets, all with the same numbers."""
    models = ["all", *sorted({model for model, _ in runs})]
    datasets = sorted({dataset for _, dataset in runs})
    datasets = ["all", *datasets] if len(datasets) > 1 else datasets
    bias = _interval("bias_rate", rate, width=width, end="_cluster")
    scores = {
        **_interval("score_originals", 78.0),
        **_interval("score_mutants", 79.5),
        **_interval("difference", 1.5),
    }
    cells = product([True, False], repeat=3)
    regions = list(product([True, False], repeat=3))
    combinations = ("all", "body+race", "gender+race", "age+race")
    return {
        "table2_totals": _rates(*runs, rate=rate, width=width),
        "figure4_biased_originals": pd.DataFrame(
            [{"model": model, **_interval("share", 0.2)} for model in models]
        ),
        "figure5_grammar": pd.DataFrame(
            [
                {"model": model, "dataset": dataset, "level": level, "outcome": outcome, **scores}
                for model, dataset in product(models, datasets)
                for level in ("intersectional", "atomic")
                for outcome in ("all", "biased", "benign")
                if model == "all" or outcome != "all"
            ]
        ),
        "figure6_validity": pd.DataFrame(
            [
                {"dataset": dataset, "level": level, **_interval("valid_share", 0.7)}
                for dataset, level in product(datasets, ("all", "intersectional", "atomic"))
            ]
        ),
        "figure7_false_positives": pd.DataFrame(
            [
                {"model": model, "level": level, "check": check, "biased": biased, **bias}
                | _interval("biased_share", 0.8)
                for model in models
                for level in ("all", "intersectional", "atomic")
                for check, biased in (("valid", 20), ("discarded", 80))
            ]
        ),
        "figure8_discarded": pd.DataFrame(
            [
                {"dataset": dataset, "level": level, "check": check, **scores}
                for dataset, level in product(datasets, ("all", "intersectional", "atomic"))
                for check in ("valid", "discarded")
            ]
        ),
        "figure9_truth_table": pd.DataFrame(
            [
                {"combination": combination, "model": model, "mutants": 20}
                | dict(zip(("intersectional", "first", "second"), cell, strict=True))
                | _interval("share", 0.3 if cell == (True, False, False) else 0.2, end="_cluster")
                for cell in cells
                for combination, model in product(combinations, models)
            ]
        ),
        "figure9_atomic_mutants": pd.DataFrame(
            [
                {"combination": combination, "model": model, "strict": 8}
                | _interval("shared_share", 0.8, end="_cluster")
                for combination, model in product(combinations, models)
            ]
        ),
        "figure10_exposure": pd.DataFrame(
            [
                {"combination": combination, "model": model}
                | dict(zip(("first", "second", "intersectional"), region, strict=True))
                | _interval("share", exhibit / 10)
                for exhibit, region in enumerate(regions)
                for combination, model in product(combinations, models)
            ]
        ),
    }


PAPERS = {
    "operators": ["literal"],
    "comparator": "tolerant",
    "tags": "penn",
    "capitals": "kept",
    "tail": "checked",
    "hidden_lookup": "pairs",
}


@pytest.fixture(scope="module", autouse=True)
def recomputed_once(published: Published) -> Iterator[None]:
    """Recompute the paper's numbers once for all studies that are compared with them."""
    known = paper_numbers(published)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper_comparison, "paper_numbers", lambda of: known)
        yield


def _compare(published: Published, tables: Tables, **settings: str) -> pd.DataFrame:
    rows = compare_with_paper(published, **PAPERS | settings, **tables)
    assert rows.columns.tolist() == list(TABLE.columns)
    assert len(show_comparison(rows)) == len(rows)
    return rows


def _one(rows: pd.DataFrame, quantity: str, **keys: str) -> dict[Any, Any]:
    for name, value in {"quantity": quantity, **keys}.items():
        rows = rows[rows[name] == value]
    (row,) = rows.to_dict("records")
    return row


def _same(row: dict[Any, Any]) -> list[bool | None]:
    return [row[f"same_{name}"] for name in ("data", "models", "definition")]


def test_a_study_of_the_papers_models_and_data_is_compared_with_the_same(
    published: Published,
) -> None:
    rows = _compare(published, _study(("bert", "ecthr_a")))
    bias = _one(rows, "bias_rate", model="bert", dataset="ecthr_a")
    assert bias["paper"] == pytest.approx(0.0465, abs=5e-5)
    assert (bias["paper_of"], bias["inside"]) == ("bert, ecthr_a", True)
    assert _same(bias) == [True, True, True]
    assert bias["differs"] == ""
    hidden = _one(rows, "hidden_rate", model="bert", dataset="ecthr_a")
    assert hidden["paper"] == pytest.approx(0.1535, abs=5e-5)
    assert not hidden["inside"]
    assert _same(hidden) == [True, True, False]
    assert "by their pairs" in hidden["differs"]
    # The totals are of more models and more data in the paper.
    assert _same(_one(rows, "bias_rate", model="bert", dataset="all")) == [False, True, True]
    assert _same(_one(rows, "bias_rate", model="all", dataset="ecthr_a")) == [True, False, True]
    originals = _one(rows, "biased_originals", model="bert")
    assert (originals["paper_of"], originals["inside"]) == ("bert, all", True)
    assert _same(originals) == [False, True, True]
    check = _one(rows, "discarded_bias_rate", model="bert", level="atomic")
    assert check["paper_of"] == "bert, atomic"
    shown = show_comparison(rows)
    assert shown.loc[rows["quantity"] == "bias_rate", "paper"].tolist()[-1] == "4.65"


def test_the_whole_of_the_papers_study_is_the_same(published: Published) -> None:
    legal = list(product((*ENCODERS, "llama2", "gpt-3.5"), LEGAL))
    rows = _compare(published, _study(*legal, ("llama2", "imdb_50k"), ("gpt-3.5", "imdb_50k")))
    total = _one(rows, "bias_rate", model="all", dataset="all")
    assert total["paper"] == pytest.approx(0.1461, abs=5e-5)
    assert _same(total) == [True, True, True]
    hidden = _one(rows, "hidden_rate", model="all", dataset="all")
    assert hidden["paper"] == pytest.approx(0.1662, abs=5e-5)
    assert _same(_one(rows, "biased_originals", model="all")) == [True, True, True]
    # No model is needed to check mutants, and the paper compares these on encoders only.
    assert _same(_one(rows, "valid_share", level="all")) == [True, None, False]
    assert _same(_one(rows, "valid_bias_rate", model="all", level="all")) == [False, False, True]
    for quantity in ("grammar_of_mutants", "grammar_of_discarded"):
        scores = _one(rows, quantity, level="intersectional")
        assert _same(scores) == [False, None, False]
    assert _same(_one(rows, "grammar_of_biased")) == [False, True, False]
    encoders = _compare(published, _study(*product(ENCODERS, LEGAL)))
    of_encoders = _one(encoders, "valid_bias_rate", model="all", level="all")
    assert _same(of_encoders) == [True, True, True]


def test_a_study_of_others_is_compared_with_all_of_the_paper(published: Published) -> None:
    # The default study's reviews share the name, and are others.
    rows = _compare(published, _study(("minilm", "imdb"), width=0.001))
    assert not rows["same_data"].any()
    assert not rows["same_models"].fillna(False).any()
    bias = _one(rows, "bias_rate", model="minilm", dataset="imdb")
    assert bias["paper"] == pytest.approx(0.1461, abs=5e-5)
    assert (bias["paper_of"], bias["inside"]) == ("all, all", False)
    valid = _one(rows, "valid_share", level="all")
    assert valid["paper"] == pytest.approx(0.0242, abs=5e-5)
    assert valid["inside"] is False


def test_the_papers_whole_dataset_has_another_name_here(published: Published) -> None:
    rows = _compare(published, _study(("gpt-3.5", "imdb_50k")))
    bias = _one(rows, "bias_rate", model="gpt-3.5", dataset="imdb_50k")
    assert bias["paper_of"] == "gpt-3.5, imdb"
    assert _same(bias) == [True, True, True]


def test_every_figure_of_the_paper_has_its_numbers(published: Published) -> None:
    rows = _compare(published, _study(("minilm", "imdb")))
    assert set(rows["quantity"].str.partition(" ")[0]) == set(QUANTITIES)
    assert {exhibit[:9].strip() for exhibit in rows["exhibit"]} == {
        *("Table 2", "Figure 4", "Figure 5", "Figure 6", "Figure 7", "Figure 8", "Figure 9"),
        "Figure 10",
    }
    papers = {
        ("grammar_of_originals", "intersectional"): 78.73,
        ("grammar_of_mutants", "intersectional"): 79.5,
        ("change_of_grammar", "intersectional"): 0.77,
        ("grammar_of_biased", "atomic"): 82.72,
        ("grammar_of_benign", "atomic"): 83.74,
        ("grammar_of_originals_of_discarded", "intersectional"): 78.44,
        ("grammar_of_discarded", "intersectional"): 73.4,
        ("change_of_grammar_of_discarded", "intersectional"): -5.04,
    }
    points = rows[rows["unit"] == "points"]
    assert {
        (row["quantity"], row["level"]): row["paper"] for row in points.to_dict("records")
    } == papers
    ours = {
        name: (row["ours"], round(row["ours_low"], 6), round(row["ours_high"], 6))
        for name, level in papers
        for row in [_one(rows, name, level=level)]
    }
    assert ours["grammar_of_originals"] == (78.0, 77.9, 78.1)
    assert ours["grammar_of_biased"] == ours["grammar_of_discarded"] == (79.5, 79.4, 79.6)
    assert ours["change_of_grammar_of_discarded"] == (1.5, 1.4, 1.6)


def test_fake_errors_are_a_share_a_rate_and_a_ratio(published: Published) -> None:
    rows = _compare(published, _study(("minilm", "imdb")))
    share = _one(rows, "discarded_of_biased", model="all", level="all")
    times = _one(rows, "discarded_biased_times", model="all", level="all")
    assert share["paper"] == pytest.approx(0.9071, abs=5e-5)
    assert times["paper"] == pytest.approx(7_604_247 / 779_224, abs=1e-4)
    assert [times[name] for name in ("ours", "ours_low", "ours_high")] == pytest.approx(
        [4, 7 / 3, 9]
    )
    assert not times["inside"]
    tables = _study(("minilm", "imdb"))
    whole = tables["figure7_false_positives"]
    assert whole is not None
    tables["figure7_false_positives"] = whole.assign(
        biased=whole["biased"].where(whole["check"] == "discarded", 0),
        biased_share=1.0,
        biased_share_high=1.0,
    )
    unbounded = _one(
        _compare(published, tables), "discarded_biased_times", model="all", level="all"
    )
    assert pd.isna([unbounded[name] for name in ("ours", "ours_low", "ours_high")]).all()
    assert unbounded["inside"] is None


def test_a_ratio_is_of_the_counts_and_not_of_a_rounded_share(published: Published) -> None:
    tables = _study(("minilm", "imdb"))
    whole = tables["figure7_false_positives"]
    assert whole is not None
    biased = whole["check"].map({"valid": 10, "discarded": 8})
    rounded = whole.assign(biased=biased, biased_share=0.444444)
    rows = _compare(published, tables | {"figure7_false_positives": rounded})
    assert _one(rows, "discarded_biased_times", model="all", level="all")["ours"] == 0.8


def test_only_the_right_cell_of_the_truth_table_counts(published: Published) -> None:
    rows = _compare(published, _study(("bert", "ecthr_a"), ("llama2", "scotus")))
    only = _one(rows, "intersectional_only", model="all", combination="all")
    assert only["paper"] == pytest.approx(89_564 / 336_348, abs=1e-6)
    assert (only["ours"], only["ours_low"]) == (0.3, pytest.approx(0.2))
    assert "corrected" in only["differs"]
    of_llama = _one(rows, "intersectional_only", model="llama2")
    assert of_llama["paper_of"] == "llama2, all"
    times = _one(rows, "intersectional_only_times")
    assert (times["ours"], round(times["paper"], 2)) == (2.5, 7.65)
    assert times["inside"] is None
    shared = _one(rows, "atomic_shared")
    assert (shared["ours"], round(shared["paper"], 4)) == (0.8, 0.8343)
    levels = [row["level"] for row in (only, times, shared)]
    assert levels == ["intersectional", "all", "atomic"]


def test_regions_of_figure_10_are_those_of_the_same_attributes(published: Published) -> None:
    rows = _compare(published, _study(("minilm", "imdb")))
    regions = rows[rows["exhibit"] == "Figure 10"]
    assert set(regions["combination"]) == {"body+race", "race+gender"}
    assert len(regions) == 14
    assert set(regions["level"]) == {"all"}
    # Of the cells (first, second, intersectional) in the order of their shares.
    ours = {
        "first": 0.3,
        "second": 0.5,
        "first+intersectional": 0.2,
        "intersectional": 0.6,
        "first+second+intersectional": 0.0,
    }
    for region, share in ours.items():
        row = _one(regions, f"exposed by {region}", combination="body+race")
        assert row["ours"] == share
    printed = _one(regions, "exposed by second", combination="body+race")
    assert printed["paper"] == pytest.approx(0.0464, abs=5e-5)
    # Here gender comes first, in the paper race.
    swapped = _one(regions, "exposed by second", combination="race+gender")
    assert swapped["paper"] == pytest.approx(0.1404, abs=5e-5)
    assert swapped["ours"] == 0.3


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("operators", ["coherent"], "substitutes terms differently (coherent)"),
        ("comparator", "strict", "compares parses differently (strict)"),
        ("tags", "upos", "compares other tags (upos)"),
        ("capitals", "first", "parses sentences with other capitals (first)"),
        ("tail", "passed", "does not check the tail of texts (passed)"),
    ],
)
def test_a_study_that_makes_or_checks_mutants_otherwise_is_of_another_definition(
    setting: str, value: str, said: str, published: Published
) -> None:
    rows = _compare(published, _study(("bert", "ecthr_a")), **{setting: value})
    assert not rows["same_definition"].any()
    assert rows["differs"].str.contains(said, regex=False).all()


@pytest.mark.parametrize("lookup", ["pairs", "attributes"])
def test_hidden_rates_say_how_sub_mutants_are_looked_up(lookup: str, published: Published) -> None:
    rows = _compare(published, _study(("bert", "ecthr_a")), hidden_lookup=lookup)
    told = rows["differs"].str.contains(f"this study by their {lookup}", regex=False)
    assert set(rows.loc[told, "quantity"]) >= {"hidden_rate", "intersectional_only"}
    assert not told[rows["quantity"].eq("bias_rate")].any()


@pytest.mark.parametrize("missing", ["table2_totals", "figure7_false_positives"])
def test_a_table_that_is_not_made_has_no_numbers(missing: str, published: Published) -> None:
    tables = _study(("bert", "ecthr_a"))
    whole = _compare(published, tables)
    rows = _compare(published, tables | {missing: None})
    exhibit = {"table2_totals": "Table 2", "figure7_false_positives": "Figure 7"}[missing]
    assert set(whole["exhibit"]) - set(rows["exhibit"]) == {exhibit}


def test_numbers_of_the_text_are_those_printed(published: Published) -> None:
    numbers = paper_numbers(published)
    for quantity, model, part in (
        ("bias_rate", "all", "all"),
        ("hidden_rate", "all", "all"),
        ("biased_originals", "all", "all"),
        ("valid_share", "all", "all"),
        ("discarded_bias_rate", "all", "all"),
        ("atomic_shared", "all", "all"),
    ):
        printed = quote(published.printed, quantity, model=model, part=part)
        assert f"{100 * numbers[quantity, model, part]:.2f} %" in printed
