"""Interactions, against plain loops on random studies, and planted ones of every order."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.tables.pairing import excess_of_lines
from hinter.tables.rq4.interactions import KEYS, TABLE, tabulate_interactions
from result_files import Parts, write_rows
from scipy.stats import binom
from scored_studies import MODELS, ScoredStudy
from simulated import additive_margins, judge_predictions, make_suite, of_two_labels
from terms import plain_terms
from tested import assert_tested
from tries import alike

COUNTED = [
    f"{name}{part}"
    for name in ("hidden", "masked")
    for part in ("", "_interaction", "_accumulation", "_undivided")
]


def _counts(terms: pd.DataFrame) -> dict[str, int]:
    counts = {}
    for name, predicted in (("hidden", False), ("masked", True)):
        of_name = terms.loc[terms[name].astype(bool), "predicted"].tolist()
        each = [of_name.count(predicted), of_name.count(not predicted), of_name.count(None)]
        names = ("interaction", "accumulation", "undivided")
        counts |= {name: len(of_name)}
        counts |= {f"{name}_{part}": n for part, n in zip(names, each, strict=True)}
    return counts


@alike(("seed", "top"), [(1, 3)], [(2, 3), (3, 2)])
def test_interactions_agree_with_plain_loops(seed: int, top: int, tmp_path: Path) -> None:
    study = ScoredStudy(tmp_path, seed=seed, top=top)
    table = tabulate_interactions(study.verdicts, study.predictions, [], seed=4)
    for model in MODELS:
        terms = plain_terms(study, model)
        groups = {}
        for order, of_order in terms.groupby("order"):
            groups[order, "all", "all"] = of_order
            by_name, by_person = (of_order.groupby(name) for name in ("attributes", "one_person"))
            groups |= {(order, str(name), "all"): rows for name, rows in by_name}
            groups |= {(order, "all", str(told)): rows for told, rows in by_person}
        found = table[table["model"] == model]
        assert [tuple(key) for key in found[KEYS].to_numpy()] == list(groups)
        for row, mutants in zip(found.to_dict("records"), groups.values(), strict=True):
            scored = mutants[mutants["scored"]]
            assert (row["n"], row["scored"]) == (len(mutants), len(scored))
            assert row["originals"] == mutants["original_id"].nunique()
            means = {f"mean_{name}": scored[name].mean() for name in ("joint", "additive")}
            means["mean_interaction"] = scored["value"].mean()
            assert {name: row[name] for name in means} == pytest.approx(
                means, abs=2e-6, nan_ok=True
            )
            assert {name: row[name] for name in COUNTED} == _counts(mutants)
            assert_tested(row, "mean_interaction", scored, seed=4)
    whole = (table["attributes"] == "all") & (table["one_person"] == "all")
    totals = table[whole].groupby("model")[COUNTED].sum()
    divided = ["hidden_interaction", "masked_interaction", "masked_accumulation"]
    assert (totals.loc["two", divided] > 0).all()
    for model in ("three", "mute"):
        assert (totals.loc[model, ["hidden_undivided", "masked_undivided"]] > 0).all()
        assert totals.loc[model, divided].eq(0).all()
    assert len(TABLE.show(table)) == len(table)


def _effects(rng: np.random.Generator, *, spread: float) -> Any:
    known: dict[Any, float] = {}

    def effect(original: str, subset: frozenset[str]) -> float:
        """Atomic effects of an original's own, and no others."""
        if len(subset) > 1:
            return 0.0
        return known.setdefault((original, subset), rng.normal(-0.3, spread))

    return effect


def _interactions(
    folder: Path, suite: pd.DataFrame, margins: dict[str, float], controls: Parts | None = None
) -> pd.DataFrame:
    answers = {key: of_two_labels(margin) for key, margin in margins.items()}
    path = judge_predictions(suite, answers, verdicts=folder / "d.parquet")
    predictions = [("m", "d", path.with_suffix(".predictions"))]
    return tabulate_interactions([("m", "d", path)], predictions, controls or [], seed=1)


@pytest.mark.parametrize(("size", "real"), [(0.5, True), (0.0, False)])
def test_interactions_that_cancel_out_are_larger_than_those_of_controls(
    size: float, real: bool, tmp_path: Path
) -> None:
    rng = np.random.default_rng(6)
    names = ["a", "b", "control"]
    suite = make_suite(originals=30, attributes=names, orders=[1, 2], targets=("x",))
    suite["control"] = suite["attributes"].str.contains("control")

    def effect(original: str, subset: frozenset[str]) -> float:
        crossed = {pair[0] for pair in subset} == {"a", "b"}
        return crossed * size * (1 if int(original[1:]) % 2 else -1)

    margins = additive_margins(suite, start=lambda _: 3.0, effect=effect)
    margins = {key: margin + rng.normal(0, 0.1) for key, margin in margins.items()}
    of_two = suite.loc[suite["attributes"] == "a+b", "mutant_id"]
    matches = [{"mutant_id": key, "control_id": key.replace("|b:", "|control:")} for key in of_two]
    path = write_rows(tmp_path / "controls.parquet", matches, CONTROLS_SCHEMA)
    table = _interactions(tmp_path, suite, margins, [("controls", "d", path)])
    table = table[table["one_person"] == "all"]
    assert table["attributes"].tolist() == ["all", "a+b"]
    assert (table["p_value"] > 0.05).all()
    assert (table["controls"] == len(of_two)).all()
    assert (table["absolute_q_value"] < 0.01).tolist() == [real, real]
    assert (table["mean_absolute"] - table["control_mean_absolute"]).tolist() == pytest.approx(
        [0.35 if real else 0] * 2, abs=0.06
    )
    excess = table[["absolute_excess_low", "absolute_excess", "absolute_excess_high"]].to_numpy()
    assert (np.diff(excess) > 0).all() and ((excess[:, 0] < 0) != real).all()
    assert excess[:, 1].tolist() == pytest.approx(
        (table["mean_absolute"] - table["control_mean_absolute"]).tolist(), abs=2e-6
    )
    assert TABLE.show(table)["size: q"].str.startswith("0.00").tolist() == [real, real]


@pytest.mark.parametrize("size", [0.0, 0.3])
def test_sizes_have_their_level_and_coverage(size: float) -> None:
    """Noise has another spread in each text, and mutants a term of either sign beside it."""
    rng = np.random.default_rng(3)
    originals, rounds = 40, 200
    spreads = rng.uniform(0.05, 0.3, (rounds, originals, 1))
    mutants, controls = spreads * rng.normal(size=(2, rounds, originals, 3))
    mutants += rng.choice([-size, size], mutants.shape)
    # The mean size of a normal number beside a term.
    true = np.mean(np.abs(spreads * rng.normal(size=(*spreads.shape[:2], 500)) + size)) - np.mean(
        spreads * np.sqrt(2 / np.pi)
    )
    sums = pd.DataFrame(
        {
            "round": np.repeat(np.arange(rounds), originals),
            "original_id": np.tile([f"o{number:02}" for number in range(originals)], rounds),
            "n": 3,
            "changed": np.abs(mutants).sum(axis=2).ravel(),
            "control": np.abs(controls).sum(axis=2).ravel(),
        }
    )
    rows = excess_of_lines(sums, ["round"], seed=1, bounds=(-2, 2))
    covered = ((rows["excess_low"] <= true) & (rows["excess_high"] >= true)).mean()
    # 0.95 less three standard errors of 200 rounds.
    assert covered >= 0.904
    found = (rows["p_value"] <= 0.05).mean()
    assert found >= 0.95 if size else found <= 0.096


def test_interactions_of_one_person_and_of_longer_mutants_are_told_apart(tmp_path: Path) -> None:
    """Of one person they are as large as those of controls, and so where no word is added."""
    rng = np.random.default_rng(6)
    suite = make_suite(originals=40, attributes=["a", "b", "control"], orders=[1, 2])
    suite["control"] = suite["attributes"].str.contains("control")
    apart = suite["mutant_id"].str.contains(r"b:\w>x")
    suite["one_person"] = np.where(apart, "no", "yes")

    def effect(original: str, subset: frozenset[str]) -> float:
        crossed = {pair[0] for pair in subset} == {"a", "b"} and any("x" in pair for pair in subset)
        together = any(pair[0] == "b" and pair[-1] == "x" for pair in subset)
        return (crossed and together) * (0.5 if int(original[1:]) % 2 else -0.5)

    margins = additive_margins(suite, start=lambda _: 3.0, effect=effect)
    margins = {key: margin + rng.normal(0, 0.1) for key, margin in margins.items()}
    of_two = suite[suite["attributes"] == "a+b"]
    matches = [
        {"mutant_id": key, "control_id": key.replace("|b:", "|control:"), "more_words": more}
        for key, more in zip(of_two["mutant_id"], apart[of_two.index].astype(int), strict=True)
    ]
    path = write_rows(tmp_path / "controls.parquet", matches, CONTROLS_SCHEMA)
    table = _interactions(tmp_path, suite, margins, [("controls", "d", path)])
    rows = table.set_index("one_person")
    assert rows.loc["all", "n"].tolist() == [len(of_two)] * 2
    assert rows.loc[["no", "yes"], "n"].sum() == len(of_two)
    assert rows.loc["no", "absolute_q_value"] < 0.01 < rows.loc["yes", "absolute_q_value"]
    assert rows.loc["no", "absolute_excess_low"] > 0.2 > rows.loc["yes", "absolute_excess_high"]
    whole = rows.loc["all"].iloc[0]
    assert whole["longer_excess_low"] > 0.2 > whole["not_longer_excess_high"]
    assert whole["longer_q_value"] < 0.01 < whole["not_longer_q_value"]
    assert whole["longer_excess"] == rows.loc["no", "absolute_excess"]


def test_models_that_only_add_up_have_no_interaction(tmp_path: Path) -> None:
    """Also where they are strongly moved: what is hidden then is an accumulation."""
    rng = np.random.default_rng(1)
    suite = make_suite(
        originals=25, attributes=["a", "b", "c"], orders=[1, 2, 3], targets=("x", "y")
    )
    margins = additive_margins(
        suite, start=lambda _: rng.uniform(0.3, 2), effect=_effects(rng, spread=0.5)
    )
    table = _interactions(tmp_path, suite, margins)
    # Rounding to hundredths is all that is left.
    assert table["mean_interaction"].abs().max() < 0.005
    assert (table["mean_joint"] < -0.4).all()
    assert (table["mean_interaction_low"] <= 0).all()
    assert (table["mean_interaction_high"] >= 0).all()
    assert table["q_value"].min() > 0.05
    of_two = table[table["attributes"].eq("all") & table["order"].eq(2)].iloc[0]
    assert of_two["hidden_accumulation"] > 20
    assert of_two["masked_accumulation"] > 20
    # A margin of a hundredth or two may be due to rounding.
    assert of_two["hidden_interaction"] + of_two["masked_interaction"] <= 5


@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("size", [-0.8, 0.6])
def test_planted_interactions_are_found_with_their_sign_and_size(
    order: int, size: float, tmp_path: Path
) -> None:
    """One combination of attributes has a term of its own order; noise is on every input."""
    rng = np.random.default_rng(order)
    names = ["a", "b", "c", "d"]
    suite = make_suite(originals=25, attributes=names, orders=[1, 2, 3, 4], targets=("x",))
    planted = "+".join(names[:order])
    alone = _effects(rng, spread=0.4)

    def effect(original: str, subset: frozenset[str]) -> float:
        crossed = "+".join(sorted(pair[0] for pair in subset)) == planted
        return alone(original, subset) + size * crossed

    margins = additive_margins(suite, start=lambda _: rng.uniform(0, 3), effect=effect)
    margins = {key: margin + rng.normal(0, 0.05) for key, margin in margins.items()}
    table = _interactions(tmp_path, suite, margins).set_index(["order", "attributes"])
    row = table.loc[(order, planted)]
    assert row["mean_interaction"] == pytest.approx(size, abs=0.1)
    ends = sorted([row["mean_interaction_low"] / size, row["mean_interaction_high"] / size])
    assert 0.6 < ends[0] < ends[1] < 1.4
    assert row["q_value"] < 0.01
    # An interaction of the parts is no interaction of the whole, nor one of other attributes.
    others = table.drop(index=[(order, planted), (order, "all")], errors="ignore")
    assert others["mean_interaction"].abs().max() < 0.15
    assert others["q_value"].min() > 0.01


@pytest.mark.release
@pytest.mark.long
def test_interactions_of_pure_noise_are_seldom_called_real(tmp_path: Path) -> None:
    """Parts that add up, and noise on each input, which all mutants of an original share in part.

    Originals are far from another outcome, so that noise does not tell which outcome they have.
    """
    rng = np.random.default_rng(6)
    suite = make_suite(originals=12, attributes=["a", "b", "c"], orders=[1, 2, 3], targets=("x",))
    audits, found = 100, 0
    rejected: list[bool] = []
    for number in range(audits):
        margins = additive_margins(
            suite, start=lambda _: rng.uniform(4, 8), effect=_effects(rng, spread=1)
        )
        noise = {key: rng.normal(0, 0.3) for key in margins}
        margins = {key: margin + noise[key] for key, margin in margins.items()}
        table = _interactions(tmp_path / str(number), suite, margins)
        found += table["q_value"].min() <= 0.05
        rejected += table["p_value"].lt(0.05).tolist()
    assert found <= binom.ppf(0.999, audits, 0.05)
    assert 0.01 < np.mean(rejected) <= 0.09


def test_an_outcome_that_only_both_pairs_change_is_an_interaction(tmp_path: Path) -> None:
    """Each kind of hidden and masked mutant, by hand."""
    suite = make_suite(originals=4, attributes=["a", "b"], orders=[1, 2], targets=("x",))
    keep = suite["mutant_id"].str.count("s>x") == suite["order"]
    # The original's margin, the shifts of both parts, and that of the mutant.
    cases = {
        "o0": (1.0, -0.2, -0.3, -1.5),
        "o1": (1.0, -0.6, -0.7, -1.3),
        "o2": (1.0, -1.5, 0.2, -0.5),
        "o3": (1.0, -1.5, 0.8, -0.7),
    }
    margins = {}
    for original, (start, first, second, both) in cases.items():
        keys = ("", "|a:s>x", "|b:s>x", "|a:s>x|b:s>x")
        for key, shift in zip(keys, (0, first, second, both), strict=True):
            margins[original + key] = start + shift
    table = _interactions(tmp_path, suite[keep], margins)
    row = table[table["attributes"] == "all"].iloc[0]
    assert [row[name] for name in COUNTED] == [2, 1, 1, 0, 2, 1, 1, 0]
    assert row["mean_interaction"] == pytest.approx(np.mean([-1.0, 0, 0.8, 0]))
