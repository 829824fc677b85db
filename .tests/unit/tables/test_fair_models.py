"""Models that are fair or not in known ways: levels of tests, and what they find.

A `fair` model is moved by all edits alike: by noise, by more noise in some texts than in others, or
by the length of what stands there. The others treat an attribute or two of them together worse.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hinter.tables.groups import mean_p_values
from hinter.tables.label_scores import robust_cases
from hinter.tables.rq4.contrasts import contrast_rows
from scipy.stats import binom
from simulated import additive_margins, judge_predictions, make_suite, of_two_labels

Margins = npt.NDArray[np.float64]
FAIR, UNFAIR = ("noise", "fragile", "length"), ("additive", "interaction")
AUDITS, ORIGINALS, MUTANTS = 400, 40, 2
AT_MOST = float(binom.ppf(0.999, AUDITS, 0.05)) / AUDITS
"""The share of tests at 5 % that so many audits without bias exceed once in a thousand times."""
# Letters are edits: of two attributes, and neutral ones in the place of the second and of both.
TEXTS = ("a", "b", "n", "m", "ab", "an", "nm")


def _effects(model: str, rng: np.random.Generator, shape: tuple[int, ...]) -> dict[str, Margins]:
    """Return how far each edit by itself moves a model, and both attributes together."""
    effects = {edit: np.zeros(shape) for edit in (*"abnm", "ab")}
    if model == "length":
        effects |= {edit: -rng.uniform(0.8, 1.2, shape) for edit in "abnm"}
    elif model == "additive":
        effects |= {edit: np.full(shape, -0.7) for edit in "ab"}
    elif model == "interaction":
        effects["ab"] -= 1.5
    return effects


def _margins(model: str, rng: np.random.Generator) -> dict[str, Margins]:
    """Return the margins of all texts of audits by originals by mutants."""
    shape = (AUDITS, ORIGINALS, MUTANTS)
    effects = _effects(model, rng, shape)
    start = np.broadcast_to(rng.uniform(0, 2.5, (*shape[:2], 1)), shape)
    spread = rng.lognormal(-1.2, 1, (*shape[:2], 1)) if model == "fragile" else 0.3
    margins = {"": start}
    for text in TEXTS:
        moved = sum(effects.get(edit, 0.0) for edit in {*text, text})
        margins[text] = start + moved + spread * rng.normal(size=shape)
    return margins


def _found(differences: Margins) -> float:
    """Return the share of audits whose mean difference has a p-value of at most 0.05."""
    sums = differences.astype(float).sum(axis=2).T
    return float((mean_p_values(sums, np.full(sums.shape, MUTANTS), seed=1) <= 0.05).mean())


@pytest.mark.parametrize("model", [*FAIR, *UNFAIR])
def test_excess_of_bias_and_of_hidden_bias_is_that_of_unfair_models(model: str) -> None:
    margins = _margins(model, np.random.default_rng(1))
    biased = {text: margin < 0 for text, margin in margins.items()}
    hidden = {
        text: biased[text] & ~biased[text[0]] & ~biased[text[1]] for text in ("ab", "an", "nm")
    }
    found = [
        _found(shown["ab"].astype(int) - shown[control])
        for shown in (biased, hidden)
        for control in ("an", "nm")
    ]
    atomic = _found(biased["a"].astype(int) - biased["n"])
    assert hidden["ab"].mean() > 0.01
    if model in FAIR:
        assert max(found) <= AT_MOST
    else:
        assert min(found) > 0.6
    assert atomic > 0.8 if model == "additive" else atomic <= AT_MOST
    # Not for want of power.
    assert max(found) > 0.01


@pytest.mark.parametrize("model", [*FAIR, *UNFAIR])
def test_only_what_attributes_do_together_is_an_interaction(model: str) -> None:
    margins = _margins(model, np.random.default_rng(2))
    found = _found((margins["ab"] - margins["a"] - margins["b"] + margins[""]).round(2))
    assert found > 0.99 if model == "interaction" else 0.01 < found <= AT_MOST


@pytest.mark.release
@pytest.mark.long
def test_groups_of_terms_that_are_as_long_have_no_contrast() -> None:
    margins, audits = _margins("length", np.random.default_rng(3)), 60
    # Three groups, of which each edit names one.
    named = np.stack([margins[text] - margins[""] for text in "abn"], axis=3)
    places = pd.MultiIndex.from_product([range(ORIGINALS), range(MUTANTS), [*"xyz"]])
    keys = dict(zip(("original_id", "position", "group"), zip(*places, strict=True), strict=True))
    p_values = []
    for shifts in named[:audits]:
        told = {"attribute": "a", "choice": "c", "n": 1, "scored": 1, "changed": 0, "term": "t"}
        units = pd.DataFrame({**keys, **told, "shift": (100 * shifts).round().ravel()})
        units = units.astype({"position": str, "original_id": str})
        p_values += contrast_rows(units, seed=1)["p_value"].tolist()
    # The three lines of an audit are worth about two.
    found = np.mean(np.array(p_values) <= 0.05)
    assert 0.01 < found <= binom.ppf(0.999, 2 * audits, 0.05) / (2 * audits)


def _cases(model: str, folder: Path) -> tuple[pd.DataFrame, int]:
    """Return the hidden cases of a model, and of how many mutants they are."""
    rng = np.random.default_rng(4)
    suite = make_suite(
        originals=250, attributes=["a", "b", "control"], orders=[1, 2], targets=("x",)
    )
    suite["control"] = suite["attributes"].str.contains("control")

    known: dict[tuple[str, frozenset[str]], float] = {}

    def effect(original: str, subset: frozenset[str]) -> float:
        edits = "".join(sorted(pair[0] for pair in subset)).replace("c", "n")
        moved = _effects(model, rng, (1,)).get(edits, np.zeros(1))
        return known.setdefault((original, subset), float(moved[0]))

    margins = additive_margins(suite, start=lambda _: rng.uniform(0, 2.5), effect=effect)
    spread = {key: rng.lognormal(-1.2, 1) if model == "fragile" else 0.15 for key in margins}
    answers = {
        key: of_two_labels(margin + ("|" in key) * rng.normal(0, spread[key.split("|")[0]]))
        for key, margin in margins.items()
    }
    path = judge_predictions(suite, answers, verdicts=folder / "d.parquet")
    parts = [("m", "d", path)], [("m", "d", path.with_suffix(".predictions"))]
    return robust_cases(*parts), int((suite["attributes"] == "a+b").sum())


@pytest.mark.parametrize("model", [*FAIR, *UNFAIR])
def test_hidden_bias_of_fair_models_is_seldom_robust(model: str, tmp_path: Path) -> None:
    cases, mutants = _cases(model, tmp_path)
    robust = int(cases["robust"].sum())
    assert len(cases) > 4
    if model == "interaction":
        assert robust > 0.2 * mutants
    elif model == "additive":
        assert robust > 0.02 * mutants
    else:
        assert robust <= 0.02 * mutants
    # What moves all edits alike is no bias, however far it moves them.
    assert model != "length" or (robust == 0 and len(cases) > 0.2 * mutants)
