"""Intervals of contrasts that take terms as sampled: against plain sums, and by simulation."""

import numpy as np
import pandas as pd
import pytest
from hinter.tables.rq4.contrast_units import LINE, term_columns
from scipy.stats import t

TEXTS, TERMS = 100, 5


def _units(
    *, between: float, terms: int = TERMS, studies: int = 1, sampled: bool = True, seed: int = 1
) -> pd.DataFrame:
    """Return studies of two groups alike, of each of which texts name all terms, or a drawn one.

    Each study is an attribute of its own. Terms shift a model by a normal number with the standard
    deviation `between`; a group does in each text what no other does.
    """
    rng = np.random.default_rng(seed)
    shape = (studies, TEXTS, 2, terms)
    shifts = rng.normal(0, 1, (studies, TEXTS, 1, 1)) + rng.normal(0, 0.4, (studies, TEXTS, 2, 1))
    shifts = shifts + rng.normal(0, between, (studies, 1, 2, terms)) + rng.normal(0, 0.3, shape)
    chosen = rng.integers(terms, size=(*shape[:3], 1)) if sampled else np.arange(terms)
    kept = np.broadcast_to(np.arange(terms) == chosen, shape)
    study, text, group, term = (
        np.char.add(name, numbers[kept].astype(str))
        for name, numbers in zip(("s", "o", "g", "t"), np.indices(shape), strict=True)
    )
    columns = {"attribute": study, "group": group, "original_id": text, "term": term}
    return pd.DataFrame(columns).assign(
        position="p", choice="c", n=1, scored=1, shift=100 * shifts[kept], changed=0
    )


def test_a_contrast_of_texts_with_all_terms_has_the_interval_of_both_means_of_terms() -> None:
    """Terms differ so much that texts hardly count: it is the interval of two samples of five."""
    units = _units(between=30, sampled=False)
    means = units.groupby(["group", "term"])["shift"].mean().unstack() / 100
    spread = (means.var(axis=1, ddof=1) / TERMS).to_numpy()
    # Welch's test of two samples.
    freedom = spread.sum() ** 2 / (spread**2 / (TERMS - 1)).sum()
    reach = t.ppf(0.975, freedom) * spread.sum() ** 0.5
    middle = means.loc["g0"].mean() - means.loc["g1"].mean()
    found = term_columns(units).loc[("s0", "g0")]
    ends = found[["contrast_terms_low", "contrast_terms_high"]].tolist()
    assert ends == pytest.approx([middle - reach, middle + reach], abs=0.01 * reach)
    assert found["terms"] == TERMS


def test_groups_of_few_terms_have_no_such_interval() -> None:
    found = term_columns(_units(between=0.3, terms=2))
    assert found["terms"].tolist() == [2, 2]
    assert found[["contrast_terms_low", "contrast_terms_high"]].isna().all(axis=None)


def test_a_single_term_of_another_group_is_taken_as_it_is() -> None:
    units = _units(between=0.3, sampled=False)
    alone = units.assign(term=units["term"].where(units["group"] == "g0", "t0"))
    ends = ["contrast_terms_low", "contrast_terms_high"]
    wide, narrow = (term_columns(each).loc[("s0", "g0"), ends] for each in (units, alone))
    assert wide.iloc[0] < narrow.iloc[0] < narrow.iloc[1] < wide.iloc[1]


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("between", [0.0, 0.1, 0.3, 1.0])
def test_it_holds_the_contrast_of_groups_whose_terms_are_sampled(
    between: float, sampled: bool
) -> None:
    studies = 200
    units = _units(between=between, studies=studies, sampled=sampled, seed=2)
    found = term_columns(units).xs("g0", level="group")
    low, high = found["contrast_terms_low"], found["contrast_terms_high"]
    covered = ((low < 0) & (high > 0)).mean()
    # 0.95 less three standard errors.
    assert covered >= 0.95 - 3 * (0.95 * 0.05 / studies) ** 0.5
    # Not for want of sharpness: half of it is about what contrasts vary by.
    by_group = units.groupby(LINE)["shift"].mean().unstack() / 100
    reach = 1.96 * (by_group["g0"] - by_group["g1"]).std()
    assert ((high - low) / 2).median() < 1.35 * reach
