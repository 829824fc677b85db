"""Simulated studies against closed forms, where there are any."""

from itertools import product

import numpy as np
import pytest
from hinter.statistics import Assumptions, PairedTexts, least_excess, simulate_studies
from scipy.stats import binomtest, multinomial


def _pairs(*, originals: int, each: int, parts: int) -> PairedTexts:
    """Return pairs without a text in common, each part of a mutant or control a text of its own."""
    texts = np.arange(originals * each * 2 * parts).reshape(2, originals * each, parts)
    of_pair = np.repeat(np.arange(originals), each)
    of_text = np.broadcast_to(of_pair[:, np.newaxis], texts.shape).ravel()
    return PairedTexts(of_text, *texts)


def _in_mutants(pairs: PairedTexts) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    planted = np.full(len(pairs.originals), -1)
    planted[pairs.mutants[:, -1]] = pairs.mutants[:, -1]
    return planted


def _discordant(assumptions: Assumptions, rate: float) -> tuple[float, float]:
    """Return the shares of pairs in which only the mutant changes, and only the control."""
    base, correlation = assumptions
    both_stay = (1 - base) ** 2 + correlation * base * (1 - base)
    one_stays = (1 - base) - both_stay
    return one_stays + rate * both_stay, one_stays * (1 - rate)


@pytest.mark.parametrize(
    ("assumptions", "rate"),
    [(Assumptions(), 0.15), (Assumptions(0.2, 0.3), 0.2), (Assumptions(0.1, 0.05), 0.0)],
)
def test_with_a_pair_of_each_original_power_is_that_of_the_exact_sign_test(
    assumptions: Assumptions, rate: float
) -> None:
    size = 60
    pairs = _pairs(originals=size, each=1, parts=1)
    studies = simulate_studies(
        pairs, planted=_in_mutants(pairs), rate=rate, assumptions=assumptions, seed=1
    )
    by_mutant, by_control = _discordant(assumptions, rate)
    shares = [by_mutant, by_control, 1 - by_mutant - by_control]
    expected = sum(
        multinomial.pmf([more, fewer, size - more - fewer], size, shares)
        for more, fewer in product(range(size + 1), repeat=2)
        if fewer < more <= size - fewer and binomtest(more, more + fewer).pvalue <= 0.05
    )
    # Over 4 standard errors of 200 studies.
    assert studies.found == pytest.approx(expected, abs=0.15 if rate else 0.04)
    assert studies.excess == pytest.approx(by_mutant - by_control, abs=0.02)


def test_bias_in_all_texts_with_a_pair_is_not_hidden_and_that_in_mutants_is() -> None:
    pairs = _pairs(originals=30, each=4, parts=3)
    alone = np.full(len(pairs.originals), -1)
    # The first sub-mutant has the pair, and so has its mutant.
    for place in (0, -1):
        alone[pairs.mutants[:, place]] = pairs.mutants[:, 0]
    never = Assumptions(base_rate=0.0)
    studies = simulate_studies(pairs, planted=alone, rate=0.3, assumptions=never, seed=1)
    assert not studies.sums.any() and studies.found == 0
    hidden = simulate_studies(
        pairs, planted=_in_mutants(pairs), rate=0.3, assumptions=never, seed=1
    )
    assert hidden.excess == pytest.approx(0.3, abs=0.02) and hidden.found == 1


def test_the_least_excess_is_found_four_times_in_five_and_falls_with_more_originals() -> None:
    found = []
    for originals in (20, 80, 320):
        pairs = _pairs(originals=originals, each=3, parts=1)
        planted = _in_mutants(pairs)
        least = least_excess(pairs, planted=planted, assumptions=Assumptions(), seed=1)
        again = simulate_studies(
            pairs, planted=planted, rate=least / 0.98, assumptions=Assumptions(), seed=2
        )
        assert again.excess == pytest.approx(least, rel=0.1)
        assert again.found == pytest.approx(0.8, abs=0.13)
        found.append(least)
    assert found == sorted(found, reverse=True) and found[-1] < found[0] / 3


def test_few_originals_find_nothing() -> None:
    pairs = _pairs(originals=5, each=30, parts=1)
    planted = _in_mutants(pairs)
    assert np.isnan(least_excess(pairs, planted=planted, assumptions=Assumptions(), seed=1))
    one = _pairs(originals=1, each=9, parts=1)
    studies = simulate_studies(
        one, planted=_in_mutants(one), rate=0.5, assumptions=Assumptions(), seed=1
    )
    assert studies.found == 0 and np.isnan(studies.half_width)
