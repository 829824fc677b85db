"""The effect that a sample can show, by simulation."""

import numpy as np
import pytest
from hinter.statistics import minimum_detectable_effect


def test_a_minimum_detectable_effect_is_found_four_times_out_of_five() -> None:
    effect = minimum_detectable_effect(0.7)
    found = np.random.default_rng(1).normal(effect, 0.7, size=20_000) / 0.7
    assert np.mean(np.abs(found) > 1.959964) == pytest.approx(0.8, abs=0.01)
