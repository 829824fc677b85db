"""Bias among discarded mutants, by hand and against plain counting."""

from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from hinter.figures.discarded import FIGURES
from hinter.statistics import bootstrap_rate_ratio, cluster_bootstrap, wilson_interval
from hinter.tables import describe_false_positives
from hinter.tables.rq3.discarded import FIGURE7_FALSE_POSITIVES as TABLE
from hinter.tables.rq3.discarded import describe_left_out, tabulate_false_positives
from plotting import plot
from scored import assert_each, levels_of, random_study, values_of, verdict_files, verdict_on
from tries import alike

KEYS = ["model", "level", "check"]


def test_bias_among_discarded_mutants_is_a_rate_and_a_share(tmp_path: Path) -> None:
    told = [
        *[verdict_on(f"o|{n}", n < 2) for n in range(6)],
        *[verdict_on(f"p|{n}", n < 1) for n in range(4)],
        *[verdict_on(f"o|d{n}", n < 3, valid=False) for n in range(5)],
        *[verdict_on(f"p|d{n}", n < 3, valid=False) for n in range(5)],
        # Not counted: no verdict, seen in part, of a sampled order.
        verdict_on("o|x", None),
        verdict_on("o|x|y", True, order=2, visible_order=1),
        verdict_on("o|x|z", True, order=3, sampled=True),
        verdict_on("o|x|w", True, sampled=False),
    ]
    rows = tabulate_false_positives(verdict_files(tmp_path, {"m": told}), seed=1)
    counts = ["n", "originals", "biased", "bias_rate"]
    shares = ["mutants_share", "biased_share"]
    valid, discarded = [10, 2, 3, 0.3, 0.5, 0.333333], [10, 2, 6, 0.6, 0.5, 0.666667]
    assert values_of(rows, [*KEYS, *counts, *shares]) == [
        [model, level, check, *numbers]
        for model, level in product(["all", "m"], ["all", "atomic"])
        for check, numbers in (("valid", valid), ("discarded", discarded))
    ]
    row = rows.iloc[1]
    assert row[["bias_rate_low", "bias_rate_high"]].isna().all()
    assert tuple(rows.iloc[5][["bias_rate_low", "bias_rate_high"]]) == pytest.approx(
        wilson_interval(6, 10), abs=1e-6
    )
    assert row["rate_ratio"] == 2
    # Of two originals, little is known: half of another one may turn the ratio round.
    assert row["rate_ratio_low"] < 1 < 2 < row["rate_ratio_high"]
    assert rows["rate_ratio"].isna().tolist() == [True, False] * 4
    assert TABLE.show(rows)["ratio of rates"].tolist()[:2] == ["-", "2.00"]
    assert describe_false_positives(rows) == (
        "Discarded mutants are 50.00 % of the tested mutants and 66.67 % of the biased ones. Their "
        "bias rate is 60.00 % [21.0, 83.0], that of valid mutants 30.00 % [11.3, 76.0]: ratio 2.00 "
        "[0.28, 7.00], so no difference between the two rates is shown. The 6 biased discarded "
        "mutants are would-be false positives if every discarded mutant is broken, which these "
        "numbers do not show."
    )


def test_models_that_ran_no_discarded_mutants_are_not_pooled(tmp_path: Path) -> None:
    both = [
        *[verdict_on(f"{original}|{n}", n < 2) for original in "opq" for n in range(5)],
        *[
            verdict_on(f"{original}|d{n}", n < 1, valid=False)
            for original in "opq"
            for n in range(5)
        ],
    ]
    # It is often biased, and saw no discarded mutant.
    prompted = [verdict_on(f"{original}|{n}", True) for original in "opq" for n in range(9)]
    pooled = verdict_files(tmp_path / "pooled", {"m": both, "prompted": prompted})
    rows = tabulate_false_positives(pooled, seed=1)
    alone = tabulate_false_positives(verdict_files(tmp_path / "alone", {"m": both}), seed=1)
    pd.testing.assert_frame_equal(rows, alone)
    assert set(rows["model"]) == {"all", "m"}
    assert rows["n"].tolist() == [15] * len(rows)
    assert describe_left_out(pooled) == [
        "Left out because no discarded mutants were run: prompted on d."
    ]


@pytest.mark.parametrize(
    ("valid", "discarded", "said"),
    [
        ((4, 8), (1, 8), "so discarded mutants are biased less often"),
        ((4, 8), (4, 8), "so no difference between the two rates is shown"),
        ((0, 8), (4, 8), "too few for the interval of a ratio"),
        ((4, 8), (0, 8), "too few for the interval of a ratio"),
        ((0, 8), (0, 8), "None of the 480 tested mutants is biased."),
        ((4, 8), (0, 0), "Nothing to compare"),
        ((0, 0), (0, 0), "Nothing to compare"),
    ],
)
def test_what_is_said_of_false_positives_follows_from_the_numbers(
    valid: tuple[int, int], discarded: tuple[int, int], said: str, tmp_path: Path
) -> None:
    told = [
        verdict_on(f"o{original}|{is_valid}{number}", number < biased, valid=is_valid)
        for original in range(30)
        for is_valid, (biased, n) in ((True, valid), (False, discarded))
        for number in range(n)
    ]
    rows = tabulate_false_positives(verdict_files(tmp_path, {"m": told}), seed=1)
    assert said in describe_false_positives(rows)
    TABLE.show(rows)
    if not valid[0]:
        assert rows["rate_ratio"].isna().all()
    plot(FIGURES["rq3/figure7_false_positives"], rows, tmp_path)


@alike("seed", [0], [1, 2])
def test_bias_by_verdict_agrees_with_plain_counting(seed: int, tmp_path: Path) -> None:
    _, verdict_parts, _, verdicts = random_study(tmp_path, seed=seed)
    told = verdicts[
        verdicts["biased"].notna()
        & (verdicts["order"] == verdicts["visible_order"])
        & verdicts["sampled"].isna()
    ]
    told = told.assign(level=levels_of(told["order"]), biased=told["biased"].astype(int), n=1)
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
        whole = clusters["biased"].sum(axis=1)
        for valid in (True, False):
            part = clusters["biased", valid][whole > 0].tolist()
            ends = cluster_bootstrap(part, whole[whole > 0].tolist(), seed=7)
            expected[model, level, "valid" if valid else "discarded"] += ends
        ratio = bootstrap_rate_ratio(sums[0], sums[1], seed=7)
        ratios[model, level] = [rates[0] / rates[1], *ratio]
    columns = ["n", "originals", "biased", "bias_rate"]
    columns += ["bias_rate_cluster_low", "bias_rate_cluster_high"]
    columns += ["mutants_share", "biased_share", "biased_share_low", "biased_share_high"]
    found = tabulate_false_positives(verdict_parts, seed=7)
    assert_each(found, KEYS, columns, expected)
    discarded = found[found["check"] == "discarded"]
    assert_each(discarded, KEYS[:2], ["rate_ratio", "rate_ratio_low", "rate_ratio_high"], ratios)
