"""Models compared in pairs, against plain counting on random studies."""

from itertools import product
from pathlib import Path

import pytest
from hinter.errors import InputError
from hinter.statistics import cluster_bootstrap, mcnemar_exact, q_values, sign_flip_test
from hinter.tables.rq1.model_comparison import show_model_comparison, tabulate_model_comparison
from random_studies import random_verdicts
from simulated import judge, make_suite


@pytest.mark.parametrize("seed", range(2))
def test_models_are_compared_on_mutants_with_both_verdicts(seed: int, tmp_path: Path) -> None:
    parts, told = random_verdicts(tmp_path, seed=seed)
    found = tabulate_model_comparison(parts, seed=3)
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
        interval = cluster_bootstrap(by_original.tolist(), trials.tolist(), seed=3)
        assert (row["difference_low"], row["difference_high"]) == pytest.approx(interval, abs=1e-6)
    assert found["q_value"].tolist() == pytest.approx(q_values(found["p_value"]), abs=1e-6)
    assert found["suite"].nunique() == 2
    assert show_model_comparison(found)["q"].str.len().eq(6).all()


def test_models_that_were_run_on_other_mutants_are_not_compared(tmp_path: Path) -> None:
    suite = make_suite(originals=2, attributes=["a"], orders=[1])
    parts = [
        (model, "d", judge(rows, lambda key: True, verdicts=tmp_path / model / "d.parquet"))
        for model, rows in (("l", suite), ("m", suite[::-1]), ("n", suite[1:]))
    ]
    assert tabulate_model_comparison(parts[:2], seed=1)["difference"].tolist() == [0, 0]
    with pytest.raises(InputError, match="'m' and 'n' on 'd': found different suites"):
        tabulate_model_comparison(parts, seed=1)


def test_a_study_of_one_model_compares_nothing(tmp_path: Path) -> None:
    suite = make_suite(originals=2, attributes=["a"], orders=[1])
    path = judge(suite, lambda key: True, verdicts=tmp_path / "d.parquet")
    assert tabulate_model_comparison([("m", "d", path)], seed=1).empty
