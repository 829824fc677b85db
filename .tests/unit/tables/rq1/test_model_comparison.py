"""Models compared in pairs, against plain counting on random studies."""

from itertools import product
from pathlib import Path

import pytest
from hinter.errors import InputError
from hinter.statistics import cluster_bootstrap, mcnemar_exact, q_values, sign_flip_test
from hinter.tables.rq1.model_comparison import TABLE, tabulate_model_comparison
from random_studies import random_verdicts
from simulated import judge, make_suite
from tries import alike


@alike("seed", [0], [1])
def test_models_are_compared_on_mutants_with_both_verdicts(seed: int, tmp_path: Path) -> None:
    parts, told = random_verdicts(tmp_path, seed=seed)
    found = tabulate_model_comparison(parts, limits=[], seed=3)
    pairs = [("l", "m"), ("l", "n"), ("m", "n")]
    levels = ["all", "intersectional", "atomic"]
    keys = ["dataset", "first", "second", "level"]
    expected_keys = [(d, *pair, level) for d, pair, level in product(("d", "e"), pairs, levels)]
    assert [tuple(key) for key in found[keys].values] == expected_keys
    for (dataset, first, second, level), row in zip(
        expected_keys, found.to_dict("records"), strict=True
    ):
        of = told[(told["dataset"] == dataset) & ((level == "all") | (told["level"] == level))]
        wide = of.pivot(index="mutant_id", columns="model", values="biased")[[first, second]]
        both = wide.dropna().astype(int)
        lead = both[first] - both[second]
        by_original = lead.groupby([key.split("|")[0] for key in both.index]).sum()
        assert (row["n"], row["left_out"]) == (len(both), len(wide) - len(both))
        assert (row["first_only"], row["second_only"]) == ((lead == 1).sum(), (lead == -1).sum())
        numbers = [*both.mean(), lead.mean(), mcnemar_exact((lead == 1).sum(), (lead == -1).sum())]
        numbers += [sign_flip_test(by_original.tolist(), seed=3)]
        names = ["first_rate", "second_rate", "difference", "mcnemar_p", "p_value"]
        assert [row[name] for name in names] == pytest.approx(numbers, abs=1e-6)
        trials = lead.groupby([key.split("|")[0] for key in both.index]).size()
        interval = cluster_bootstrap(by_original, trials, seed=3, bounds=(-1, 1))
        assert (row["difference_low"], row["difference_high"]) == pytest.approx(interval, abs=0.05)
    assert found["q_value"].tolist() == pytest.approx(q_values(found["p_value"]), abs=1e-6)
    assert found["suite"].nunique() == 2
    assert TABLE.show(found)["q"].str.len().eq(6).all()


def test_models_that_were_run_on_other_mutants_are_not_compared(tmp_path: Path) -> None:
    suite = make_suite(originals=2, attributes=["a"], orders=[1])
    parts = [
        (model, "d", judge(rows, lambda key: True, verdicts=tmp_path / model / "d.parquet"))
        for model, rows in (("l", suite), ("m", suite[::-1]), ("n", suite[1:]))
    ]
    assert tabulate_model_comparison(parts[:2], limits=[], seed=1)["difference"].tolist() == [0, 0]
    with pytest.raises(InputError, match="'l' and 'n' on 'd': found different suites"):
        tabulate_model_comparison(parts, limits=[], seed=1)


def test_a_model_that_was_run_on_a_part_is_compared_on_this_part(tmp_path: Path) -> None:
    suite = make_suite(originals=6, attributes=["a", "b"], orders=[1, 2])
    part = suite[suite["original_id"].isin(["o1", "o3"])]
    limits = [{"models": ["m", "n"], "datasets": None, "originals": 2}]

    def biased(key: str) -> bool:
        return len(key) % 2 == 0

    def changed(key: str) -> bool:
        return key.startswith("o3")

    parts = [
        (model, "d", judge(rows, answer, verdicts=tmp_path / model / "d.parquet"))
        for model, rows, answer in (("l", suite, biased), ("m", part, changed), ("n", part, biased))
    ]
    rows = tabulate_model_comparison(parts, limits=limits, seed=1)
    whole = judge(part, biased, verdicts=tmp_path / "part" / "d.parquet")
    alone = tabulate_model_comparison([("l", "d", whole), parts[1]], limits=[], seed=1)
    of = rows[(rows["first"] == "l") & (rows["second"] == "m")]
    apart = ["same", "q_value"]
    assert of.drop(columns=apart).values.tolist() == alone.drop(columns=apart).values.tolist()
    assert not of["same"].any()
    assert rows[rows["first"] == "m"]["same"].all()
    assert set(rows["suite"]) == set(alone["suite"])
    assert set(TABLE.show(rows)["suite"]) == {"the same", "common part"}


def test_models_without_a_mutant_in_common_are_not_compared(tmp_path: Path) -> None:
    suite = make_suite(originals=2, attributes=["a"], orders=[1])
    limits = [{"models": ["m"], "datasets": None, "originals": 1}]
    parts = [
        (model, "d", judge(rows, lambda key: True, verdicts=tmp_path / model / "d.parquet"))
        for model, rows in (("l", suite[:1]), ("m", suite[-1:]))
    ]
    assert tabulate_model_comparison(parts, limits=limits, seed=1).empty


def test_a_study_of_one_model_compares_nothing(tmp_path: Path) -> None:
    suite = make_suite(originals=2, attributes=["a"], orders=[1])
    path = judge(suite, lambda key: True, verdicts=tmp_path / "d.parquet")
    assert tabulate_model_comparison([("m", "d", path)], limits=[], seed=1).empty
