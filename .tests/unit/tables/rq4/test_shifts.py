"""Shifts by line, against plain loops on random studies, and by simulation."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.statistics import q_values
from hinter.tables.pairing import NEAR
from hinter.tables.rq4.shifts import TABLE, tabulate_shifts
from result_files import write_rows
from scipy.spatial.distance import jensenshannon
from scipy.special import expit
from scipy.stats import binom
from scored_studies import MODELS, ScoredStudy
from simulated import Prediction, judge_predictions, make_suite, of_two_labels, write_pairs
from tested import assert_tested
from tries import alike

NAMES = ["level", "attributes", "source_group", "target_group"]


def _lines(told: pd.DataFrame) -> dict[tuple[str, ...], pd.DataFrame]:
    """The mutants of each line by its level, attributes and groups, in the table's order."""
    lines = {}
    for level, rows in told.groupby("level"):
        lines[str(level), "all", "", ""] = rows
        for attributes, of_both in rows.groupby("attributes"):
            lines[str(level), str(attributes), "", ""] = of_both
        for pair, of_pair in rows.explode("pair_ids").groupby("pair_ids"):
            lines[str(level), str(pair)[:-4], str(pair)[-3], str(pair)[-1]] = of_pair
    return lines


def _divergence(row: pd.Series) -> float:
    if row["model"] == "several" or row["before"] is None or row["after"] is None:
        return np.nan
    labels = sorted(row["before"])
    shares = [expit([scores[label] for label in labels]) for scores in row[["before", "after"]]]
    return float(jensenshannon(*shares, base=2) ** 2)


@alike("seed", [1], [2])
def test_shifts_agree_with_plain_loops(seed: int, tmp_path: Path) -> None:
    study = ScoredStudy(tmp_path, seed=seed, top=3)
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b", "c"])
    table = tabulate_shifts(study.verdicts, study.predictions, [], pairs=pairs, seed=4)
    for model in MODELS:
        found = table[table["model"] == model]
        told = study.told(model)
        scored = told[told["shift"].notna()]
        if len(scored):
            told["divergence"] = scored.apply(_divergence, axis=1)
        lines = _lines(told)
        assert [tuple(row) for row in found[NAMES].to_numpy()] == list(lines)
        for row, mutants in zip(found.to_dict("records"), lines.values(), strict=True):
            scored = mutants.dropna(subset=["shift"])
            benign = scored[~scored["biased"].astype(bool)] if model != "three" else scored[:0]
            far = (benign["margin"] - benign["shift"]).astype(float).round(2) >= NEAR
            benign = benign[far]
            near = benign[benign["margin"] < NEAR]
            assert (row["n"], row["scored"]) == (len(mutants), len(scored))
            assert row["originals"] == mutants["original_id"].nunique()
            assert (row["benign"], row["near_flips"]) == (len(benign), len(near))
            shifts = scored["shift"].astype(float)
            means = {
                "mean_shift": shifts.mean(),
                "mean_absolute_shift": shifts.abs().mean(),
                "near_flip_rate": len(near) / len(benign) if len(benign) else np.nan,
                "mean_divergence": scored["divergence"].mean() if len(scored) else np.nan,
            }
            expected = pytest.approx(means, abs=2e-6, nan_ok=True)
            assert {name: row[name] for name in means} == expected
            assert_tested(row, "mean_shift", scored.assign(value=shifts), seed=4)
        known = found["p_value"].tolist()
        assert found["q_value"].tolist() == pytest.approx(q_values(known), abs=1e-5, nan_ok=True)
    shown = TABLE.show(table)
    assert (shown["shift"] == "-").tolist() == table["mean_shift"].isna().tolist()
    assert table[table["model"] == "mute"]["mean_shift"].isna().all()
    assert table[table["model"] == "two"]["near_flips"].sum() > 0


@pytest.mark.parametrize(("control", "excess"), [(0.2, 0), (0.0, 1)])
def test_near_flips_are_those_that_enter_the_band_less_those_of_controls(
    control: float, excess: int, tmp_path: Path
) -> None:
    suite = make_suite(originals=20, attributes=["a", "control"], orders=[1], targets=("x",))
    suite["control"] = suite["attributes"] == "control"
    moved = {"a": 0.2, "control": control}
    # Half of the originals are in the band before anything is changed.
    starts = {key: (0.6, 0.4)[int(key[1:]) % 2] for key in suite["original_id"]}
    answers = {key: of_two_labels(start) for key, start in starts.items()}
    for key, original, attributes in suite[["mutant_id", "original_id", "attributes"]].values:
        answers[key] = of_two_labels(starts[original] - moved[attributes])
    path = judge_predictions(suite, answers, verdicts=tmp_path / "d.parquet")
    mutants = suite.loc[~suite["control"], "mutant_id"]
    matches = [
        {"mutant_id": key, "control_id": key.replace("|a:", "|control:"), "pair_id": key[3:]}
        for key in mutants
    ]
    controls = write_rows(tmp_path / "controls.parquet", matches, CONTROLS_SCHEMA)
    table = tabulate_shifts(
        [("m", "d", path)],
        [("m", "d", path.with_suffix(".predictions"))],
        [("controls", "d", controls)],
        pairs=write_pairs(tmp_path / "pairs.csv", attributes=["a"]),
        seed=1,
    )
    row = table[table["attributes"] == "all"].iloc[0]
    entering = len(mutants) // 2
    assert (row["scored"], row["benign"], row["near_flips"]) == (len(mutants), entering, entering)
    assert (row["controls"], row["control_rate"], row["excess"]) == (entering, 1 - excess, excess)
    assert (row["excess_q_value"] < 0.01) == bool(excess)


def test_a_planted_shift_is_found_with_its_sign_and_size(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    suite = make_suite(originals=40, attributes=["a", "b"], orders=[1, 2])
    starts = {key: rng.uniform(2, 6) for key in suite["original_id"].unique()}
    predictions = {key: of_two_labels(start) for key, start in starts.items()}
    for key in suite["mutant_id"]:
        # A pair of attribute a towards x moves the model away by 0.8, whatever else is changed.
        moved = -0.8 * ("a:s>x" in key or "a:t>x" in key) + rng.normal(0, 0.3)
        predictions[key] = of_two_labels(starts[key.split("|")[0]] + moved)
    table = _shifts(tmp_path, suite, predictions)
    planted = (table["attributes"] == "a") & (table["target_group"] == "x")
    assert planted.sum() == 4
    assert ((table["mean_shift_low"] < -0.75) & (table["mean_shift_high"] > -0.85))[planted].all()
    assert (table["mean_shift_high"] < -0.6)[planted].all()
    assert (table["q_value"] < 0.01)[planted].all()
    others = (table["attributes"] == "a") & table["target_group"].isin(["y", "z"])
    assert (table["mean_shift_high"] - table["mean_shift_low"])[others].max() < 0.3
    assert (table["mean_shift"].abs() < 0.15)[others].all()


def _shifts(folder: Path, suite: pd.DataFrame, predictions: dict[str, Prediction]) -> pd.DataFrame:
    path = judge_predictions(suite, predictions, verdicts=folder / "d.parquet")
    pairs = write_pairs(folder / "pairs.csv", attributes=["a", "b"])
    answers = [("m", "d", path.with_suffix(".predictions"))]
    return tabulate_shifts([("m", "d", path)], answers, [], pairs=pairs, seed=1)


@pytest.mark.release
@pytest.mark.long
def test_shifts_of_pure_noise_are_seldom_called_real(tmp_path: Path) -> None:
    """Mutants of an original move together, now this way, now that: every discovery is false."""
    rng = np.random.default_rng(5)
    suite = make_suite(originals=12, attributes=["a", "b"], orders=[1, 2], targets=("x",))
    audits, found = 60, 0
    covered: list[bool] = []
    rejected: list[bool] = []
    for number in range(audits):
        together = {key: rng.normal(0, 1) for key in suite["original_id"].unique()}
        predictions: dict[str, Prediction] = {key: of_two_labels(9) for key in together}
        for key in suite["mutant_id"]:
            moved = together[key.split("|")[0]] + rng.normal(0, 0.5)
            predictions[key] = of_two_labels(9 + moved)
        table = _shifts(tmp_path / str(number), suite, predictions)
        found += table["q_value"].min() <= 0.05
        holds = (table["mean_shift_low"] <= 0) & (table["mean_shift_high"] >= 0)
        covered += holds.tolist()
        rejected += table["p_value"].lt(0.05).tolist()
    assert found <= binom.ppf(0.999, audits, 0.05)
    # Not for want of power: single tests reject about as often as they may.
    assert 0.01 < np.mean(rejected) <= 0.09
    # Percentile intervals of a dozen clusters are somewhat narrow.
    assert 0.85 <= np.mean(covered) <= 0.99


def test_models_that_never_move_have_an_interval_and_no_finding(tmp_path: Path) -> None:
    suite = make_suite(originals=5, attributes=["a", "b"], orders=[1, 2])
    ids = [*suite["original_id"].unique(), *suite["mutant_id"]]
    table = _shifts(tmp_path, suite, {key: of_two_labels(0.3) for key in ids})
    assert (table["mean_shift"] == 0).all()
    assert (table["mean_shift_low"] < 0).all()
    assert (table["mean_shift_high"] > 0).all()
    assert (table[["p_value", "q_value"]] == 1).all(axis=None)
    # All originals were near a flip before.
    assert (table["benign"] == 0).all()
    assert (table["mean_divergence"] == 0).all()


def test_the_caption_says_how_near_a_near_flip_is() -> None:
    assert f"margin below {NEAR}" in TABLE.caption
