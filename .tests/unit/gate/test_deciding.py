"""What the gate decides, where the truth is known."""

import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from gated import MUTANTS, sampled_sums, sums_of
from hinter.gate.deciding import (
    Outcome,
    decide,
    decide_measure,
    difference_interval,
    needed_originals,
    outcome_of,
    overall,
)

THRESHOLD = 0.1
TIMES = 100


def _decided(sums: pd.DataFrame, *, threshold: float = THRESHOLD) -> SimpleNamespace:
    decided = decide_measure(sums, threshold=threshold, confidence=0.95, seed=3)
    return SimpleNamespace(**decided)


def _interval(sums: pd.DataFrame) -> tuple[float, float]:
    differences, counts = (sums[name].to_numpy(dtype=float) for name in ("candidate", "n"))
    return difference_interval(differences, counts, confidence=0.95, seed=3)


def _outcomes(*, originals: int, more: float, seen: float = 0.2) -> Counter[Outcome]:
    draw = random.Random(5)
    sampled = [sampled_sums(draw, originals=originals, more=more, seen=seen) for _ in range(TIMES)]
    return Counter(outcome_of(_interval(sums), threshold=THRESHOLD) for sums in sampled)


def test_a_candidate_at_the_threshold_seldom_passes_and_seldom_fails() -> None:
    outcomes = _outcomes(originals=200, more=THRESHOLD)
    # 2.5 % on either side; nine of 100 are over four standard deviations above that.
    assert outcomes[Outcome.PASS] <= 9
    assert outcomes[Outcome.FAIL] <= 9


def test_a_rare_harm_seldom_passes_though_few_originals_show_it() -> None:
    """Of thirty originals, one or none shows it in one draw of five."""
    outcomes = _outcomes(originals=30, more=THRESHOLD, seen=THRESHOLD)
    assert outcomes[Outcome.PASS] == 0


def test_a_candidate_that_is_no_worse_passes_and_one_that_is_much_worse_fails() -> None:
    assert _outcomes(originals=300, more=0.0)[Outcome.PASS] > 0.9 * TIMES
    assert _outcomes(originals=300, more=0.25, seen=0.3)[Outcome.FAIL] > 0.9 * TIMES


def test_few_originals_are_not_enough() -> None:
    assert _outcomes(originals=15, more=0.05)[Outcome.NOT_ENOUGH] > 0.9 * TIMES


def test_the_number_that_would_decide_decides() -> None:
    draw = random.Random(6)
    first = _decided(sampled_sums(draw, originals=100, more=0.05, seen=0.2))
    assert first.outcome is Outcome.NOT_ENOUGH
    needed = first.needed_originals
    assert needed is not None and needed > 100
    gap = abs(THRESHOLD - first.difference)
    truth = 1.96**2 * (0.2 - first.difference**2) / gap**2
    assert needed == pytest.approx(truth, rel=0.5)


def test_models_that_never_differ_pass_only_on_enough_originals() -> None:
    few = _decided(sums_of([0] * 15))
    assert (few.difference, few.outcome) == (0, Outcome.NOT_ENOUGH)
    # Half an original may be as bad as an excess can be.
    assert few.difference_low < -THRESHOLD
    assert few.difference_high > THRESHOLD
    needed = few.needed_originals
    assert needed is not None
    assert _decided(sums_of([0] * (needed - 15))).outcome is Outcome.NOT_ENOUGH
    enough = _decided(sums_of([0] * needed))
    assert (enough.outcome, enough.needed_originals) == (Outcome.PASS, None)


def test_a_candidate_that_is_only_better_has_no_upper_end_below_what_is_unseen() -> None:
    decided = _decided(sums_of([-MUTANTS, *[0] * 29]))
    assert decided.difference_high > THRESHOLD > decided.difference
    assert decided.outcome is Outcome.NOT_ENOUGH


def test_the_number_that_would_decide_allows_for_rare_harm() -> None:
    """With as large a share of harmed originals, that many pass, and fewer do not."""
    decided = _decided(sums_of([MUTANTS // 2, *[0] * 19]))
    assert decided.outcome is Outcome.NOT_ENOUGH
    needed = decided.needed_originals
    assert needed is not None
    for times, outcome in ((1.2, Outcome.PASS), (0.8, Outcome.NOT_ENOUGH)):
        harmed = round(times * needed / 20)
        sums = sums_of([*[MUTANTS // 2] * harmed, *[0] * (19 * harmed)])
        assert _decided(sums).outcome is outcome


def test_models_that_always_differ_alike_fail_on_enough_originals() -> None:
    assert _decided(sums_of([2] * 3)).outcome is Outcome.NOT_ENOUGH
    needed = _decided(sums_of([2] * 3)).needed_originals
    assert needed is not None
    assert _decided(sums_of([2] * (needed + 1))).outcome is Outcome.FAIL


def test_a_difference_of_just_the_threshold_has_no_number_that_decides() -> None:
    differences, counts = np.array([1.0, 0, 0, 0]), np.full(4, 1.0)
    assert needed_originals(differences, counts, threshold=0.25, confidence=0.95, seed=1) is None


@pytest.mark.parametrize("differences", [[], [3]])
def test_none_or_one_original_decides_nothing(differences: list[int]) -> None:
    sums = sums_of(differences).reindex(columns=list(sums_of([1])))
    decided = _decided(sums)
    assert (decided.outcome, decided.needed_originals) == (Outcome.NOT_ENOUGH, None)
    assert np.isnan(decided.difference_high)


def test_there_is_a_row_for_each_dataset_and_measure() -> None:
    sums = pd.concat([sums_of([0] * 300), sums_of([MUTANTS] * 30, dataset="e")])
    rows = decide(
        sums,
        datasets=["d", "e"],
        measures=["bias", "hidden bias"],
        threshold=THRESHOLD,
        confidence=0.95,
        seed=1,
    )
    outcomes = [Outcome.PASS, Outcome.NOT_ENOUGH, Outcome.FAIL, Outcome.NOT_ENOUGH]
    assert rows["outcome"].tolist() == outcomes
    assert rows["n"].tolist() == [1200, 0, 120, 0]
    assert rows["dataset"].tolist() == ["d", "d", "e", "e"]


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (["pass", "pass"], Outcome.PASS),
        (["pass", "fail", "not enough evidence"], Outcome.FAIL),
        (["pass", "not enough evidence"], Outcome.NOT_ENOUGH),
    ],
)
def test_all_must_pass_together(outcomes: list[str], expected: Outcome) -> None:
    assert overall(outcomes) is expected
