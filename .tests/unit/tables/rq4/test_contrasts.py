"""Contrasts between groups, against plain loops on random studies, and by simulation."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hinter.statistics import q_values
from hinter.tables import FEWEST_MENTIONS, are_clear
from hinter.tables.rq4.contrast_findings import describe_contrasts, describe_groups
from hinter.tables.rq4.contrasts import TABLE, contrast_rows, tabulate_contrasts
from scipy.stats import binom
from scored_studies import MODELS, ScoredStudy
from simulated import Prediction, judge_predictions, make_suite, of_two_labels, write_pairs
from tries import alike

ATTRIBUTES = ["a", "b", "control"]


def _atoms(study: ScoredStudy, model: str) -> pd.DataFrame:
    told = study.told(model)
    told = told[told["order"] == 1]
    sources = told["pair_ids"].map(lambda pairs: pairs[0][2])
    groups = told["pair_ids"].map(lambda pairs: pairs[0][4])
    return told.assign(attribute=told["attributes"], source=sources, group=groups)


def _cells(study: ScoredStudy, model: str) -> pd.DataFrame:
    """The mutants of two pairs whose parts have a verdict, with what both add to each."""
    told = study.told(model, sub_mutants=True)
    known = told.set_index("mutant_id")
    rows: list[dict[str, Any]] = []
    for row in study.told(model).query("order == 2").to_dict("records"):
        parts = [f"{row['original_id']}|{pair}" for pair in row["pair_ids"]]
        if all(part in known.index for part in parts):
            shift = row["shift"] - sum(known.loc[part, "shift"] for part in parts)
            hidden = row["biased"] and not any(known.loc[part, "biased"] for part in parts)
            sources = " ".join(pair[2] for pair in row["pair_ids"])
            groups = " + ".join(pair[4] for pair in row["pair_ids"])
            rows.append(
                row
                | {"shift": shift, "biased": hidden, "attribute": row["attributes"]}
                | {"source": sources, "group": groups}
            )
    return pd.DataFrame(rows)


def _within(lines: pd.DataFrame) -> tuple[str, list[pd.DataFrame]]:
    """What the mutants of an attribute are compared within: all pairs have the same choice."""
    mentions = [each for _, each in lines.groupby(["original_id", "source"])]
    together = [each for each in mentions if len(each) > 1]
    if sum(map(len, together)) >= len(lines) / 2:
        return "mention", together
    return "draw", [lines] if len(lines) >= FEWEST_MENTIONS else []


def _contrast(strata: Iterable[pd.DataFrame], group: str, name: str) -> float:
    """The mean, over the mutants of a group, of what they have more than others of the stratum."""
    more = []
    for stratum in strata:
        values, own = stratum[name].astype(float), stratum["group"] == group
        if not own.all():
            more += (values[own] - values[~own].mean()).tolist()
    few = "+" in group and len(more) < FEWEST_MENTIONS
    return float(np.mean(more)) if more and not few else np.nan


@alike("seed", [1], [2])
def test_contrasts_agree_with_plain_loops(seed: int, tmp_path: Path) -> None:
    study = ScoredStudy(tmp_path, seed=seed)
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b", "c"])
    table = tabulate_contrasts(study.verdicts, study.predictions, pairs=pairs, seed=4)
    for model in MODELS:
        found = table[table["model"] == model].set_index(["attribute", "group"])
        told = pd.concat([_atoms(study, model), _cells(study, model)])
        for (attribute, group), row in found.iterrows():
            lines = told[told["attribute"] == attribute]
            own = lines[lines["group"] == group]
            assert (row["n"], row["scored"]) == (len(own), own["shift"].notna().sum())
            assert row["originals"] == own["original_id"].nunique()
            assert row["mean_shift"] == pytest.approx(own["shift"].mean(), abs=2e-6, nan_ok=True)
            assert row["bias_rate"] == pytest.approx(own["biased"].mean(), abs=2e-6)
            assert row["within"] == _within(lines)[0]
            for name, column in (("shift", "contrast"), ("biased", "rate_contrast")):
                scored = lines.dropna(subset=[name])
                expected = _contrast(_within(scored)[1], str(group), name)
                assert row[column] == pytest.approx(expected, abs=2e-6, nan_ok=True)
        mentions = found["mentions"]
        assert (
            mentions[mentions.index.get_level_values(0).str.contains("+", regex=False)]
            >= FEWEST_MENTIONS
        ).all()
        for name in ("", "rate_", "shift_"):
            known = table.loc[table["model"] == model, [f"{name}p_value", f"{name}q_value"]]
            expected = pytest.approx(q_values(known.iloc[:, 0].tolist()), abs=1e-5, nan_ok=True)
            assert known.iloc[:, 1].tolist() == expected
    assert set(table["within"]) == {"draw", "mention"}
    mute = table[table["model"] == "mute"]
    assert mute["contrast"].isna().all()
    assert mute["rate_contrast"].notna().any()
    assert (TABLE.show(table)["contrast"] == "-").tolist() == table["contrast"].isna().tolist()


def _audit(
    folder: Path,
    *,
    sampled: bool,
    originals: int = 250,
    effect: Callable[[set[str]], float] = lambda named: 0.0,
    orders: tuple[int, ...] = (1,),
    seed: int = 1,
    favourable: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the table of texts that each move alike, whatever is named, and of noise.

    The `effect` is that of the groups that a mutant names, each with its attribute. All groups
    stand at each mention, or one of them is `sampled`.
    """
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(seed)
    suite = make_suite(originals=originals, attributes=ATTRIBUTES, orders=orders)
    suite = suite[~(suite["attributes"].str.contains("control") & (suite["order"] > 1))]
    suite["control"] = suite["attributes"] == "control"
    if sampled:
        shuffled = suite.sample(frac=1, random_state=seed)
        sources = shuffled["mutant_id"].str.replace(r">\w", "", regex=True)
        suite = shuffled[~sources.duplicated()].sort_index()
    texts = suite["original_id"].unique()
    alike = dict(zip(texts, rng.standard_t(5, len(texts)), strict=True))
    starts = dict(zip(texts, rng.uniform(0.5, 4, len(texts)), strict=True))
    answers: dict[str, Prediction] = {key: of_two_labels(start) for key, start in starts.items()}
    # What a group does to a text, it does at each of its mentions.
    own: dict[tuple[str, str], float] = {}
    for key, text, pair_ids in suite[["mutant_id", "original_id", "pair_ids"]].to_numpy():
        named = {pair[:-4] + pair[-1] for pair in pair_ids}
        moved = alike[text] + rng.normal(0, 0.3) + effect(named)
        moved += sum(own.setdefault((text, group), rng.normal(0, 0.4)) for group in sorted(named))
        answers[key] = of_two_labels(starts[text] + moved)
    path = judge_predictions(suite, answers, verdicts=folder / "d.parquet", favourable=favourable)
    pairs = write_pairs(folder / "pairs.csv", attributes=ATTRIBUTES)
    answered = [("m", "d", path.with_suffix(".predictions"))]
    return tabulate_contrasts([("m", "d", path)], answered, pairs=pairs, seed=seed)


@alike("sampled", [False], [True])
def test_a_group_that_moves_a_model_is_found_and_told(sampled: bool, tmp_path: Path) -> None:
    table = _audit(tmp_path, sampled=sampled, effect=lambda named: -0.8 * ("ax" in named))
    assert set(table["within"]) == {"draw" if sampled else "mention"}
    rows = table.set_index(["attribute", "group"])
    assert (rows["mentions"] == 500).all() or sampled
    planted = rows.loc["a", "x"]
    assert planted["contrast_low"] < -0.8 < planted["contrast_high"] < -0.3
    assert planted["q_value"] < 0.01
    assert planted["rate_contrast"] > 0
    assert planted["rank"] == "1"
    # The others of the attribute are moved by 0.4 less than the mean of x and of one another.
    assert (rows.loc["a"].loc[["y", "z"], "contrast"] > 0).all()
    assert (rows.loc["b"]["q_value"] > 0.05).all()
    assert rows.loc["b"]["rank"].isna().all()
    told = describe_contrasts(table)
    assert "Treated worse than others: x (a; m, d) by -0." in told
    assert "No group" not in told
    assert "No neutral group significantly moves a model." in told


def test_who_moves_away_from_an_unfavourable_outcome_is_treated_better(tmp_path: Path) -> None:
    """All originals have the outcome p, and mutants that name x of a are moved away from it."""
    good, bad = (
        _audit(
            tmp_path / label,
            sampled=False,
            originals=80,
            effect=lambda named: -0.8 * ("ax" in named),
            favourable=[label],
        )
        for label in "pn"
    )
    assert bad["contrast"].tolist() == (-good["contrast"]).tolist()
    assert (good["bias_rate"] > 0).any()
    assert (bad["bias_rate"] == 0).all()
    assert "Treated worse than others: x (a;" in describe_contrasts(good)
    assert "Treated better than others: x (a;" in describe_contrasts(bad)


def test_a_neutral_group_that_moves_a_model_is_named(tmp_path: Path) -> None:
    table = _audit(tmp_path, sampled=False, effect=lambda named: 0.5 * ("controly" in named))
    rows = table.set_index(["attribute", "group"])
    low, high = rows.loc["control", "y"][["mean_shift_low", "mean_shift_high"]]
    assert 0.2 < low < 0.5 < high
    told = describe_contrasts(table)
    assert "as they move a model: y (control; m, d) by +0." in told
    assert "Different from the other neutral groups: y (control; m, d) by +0." in told


def test_it_is_told_that_nobody_can_be_told_apart(tmp_path: Path) -> None:
    assert describe_contrasts(_audit(tmp_path, sampled=True, seed=2)) == (
        "No group is treated measurably worse or better than the others (12 tests). "
        "No neutral group significantly moves a model."
    )


def test_a_cell_is_found_by_what_both_groups_add_to_each(tmp_path: Path) -> None:
    def effect(named: set[str]) -> float:
        # Both groups have an effect of their own, which is none of the cell's.
        return -0.5 * ("ax" in named) + 0.4 * ("by" in named) - 0.6 * ({"ax", "by"} <= named)

    table = _audit(tmp_path, sampled=False, effect=effect, orders=(1, 2))
    cells = table[table["attribute"] == "a+b"].set_index("group")
    assert len(cells) == 9
    assert cells.loc["x + y", "q_value"] < 0.01
    assert cells.loc["x + y", "contrast_low"] < -0.6 < cells.loc["x + y", "contrast_high"]
    assert cells["contrast"].idxmin() == "x + y"
    # Each of them is compared with a mean that holds an eighth of the planted one.
    assert (cells["contrast"].drop("x + y") - 0.6 / 8).abs().max() < 0.06


def test_a_group_at_few_mentions_is_not_tested(tmp_path: Path) -> None:
    suite = make_suite(originals=FEWEST_MENTIONS, attributes=["a"], orders=[1])
    few = suite["mutant_id"].isin(["o0|a:s>z", "o0|a:t>z"])
    suite = suite[(suite["pair_ids"].map(lambda pairs: pairs[0][4]) != "z") | few]
    rng = np.random.default_rng(1)
    ids = [*suite["original_id"].unique(), *suite["mutant_id"]]
    answers = {key: of_two_labels(rng.normal(2, 1)) for key in ids}
    path = judge_predictions(suite, answers, verdicts=tmp_path / "d.parquet")
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a"])
    answered = [("m", "d", path.with_suffix(".predictions"))]
    table = tabulate_contrasts([("m", "d", path)], answered, pairs=pairs, seed=1)
    assert table["mentions"].tolist() == [2 * FEWEST_MENTIONS, 2 * FEWEST_MENTIONS, 2]
    assert table["p_value"].isna().tolist() == [False, False, True]
    # Both are of one text.
    assert table["contrast"].notna().all()
    assert table["contrast_low"].isna().tolist() == [False, False, True]
    assert TABLE.finding is not None
    assert TABLE.finding(table, {}) == describe_contrasts(table)


def test_numbers_of_mutants_are_whole_where_cells_are_too_few_to_compare(tmp_path: Path) -> None:
    suite = make_suite(originals=2, attributes=["a", "b"], orders=[1, 2])
    ids = [*suite["original_id"].unique(), *suite["mutant_id"]]
    answers = {key: of_two_labels(2.0) for key in ids}
    path = judge_predictions(suite, answers, verdicts=tmp_path / "d.parquet")
    pairs = write_pairs(tmp_path / "pairs.csv", attributes=["a", "b"])
    answered = [("m", "d", path.with_suffix(".predictions"))]
    table = tabulate_contrasts([("m", "d", path)], answered, pairs=pairs, seed=1)
    assert set(table["attribute"]) == {"a", "b"}
    assert (table[["n", "originals", "scored", "mentions"]].dtypes == "int64").all()
    told = describe_contrasts(table)
    assert told.startswith(f"No group is named at {FEWEST_MENTIONS} mentions or more")


def test_groups_whose_words_judge_are_named_and_left_out_of_what_is_said() -> None:
    """All groups but one of an attribute are moved; half of the terms of one judge."""
    terms = {"poor": ["poor", "penniless"], "rich": ["moneyed"], "working": ["labouring"]}
    moved = {"poor": -100, "rich": 80, "working": 0}
    rng = np.random.default_rng(1)
    units = pd.DataFrame(
        {"attribute": "class", "group": group, "original_id": f"o{text:02}", "position": "p"}
        | {"choice": "c", "term": each[text % len(each)], "n": 1, "scored": 1, "changed": 0}
        | {"shift": moved[group] + rng.normal(0, 5)}
        for text in range(40)
        for group, each in terms.items()
    )
    rows = contrast_rows(units, seed=1).assign(model="m", dataset="d", rate_q_value=np.nan)
    rows["q_value"] = q_values(rows["p_value"].tolist())
    assert (rows["q_value"] < 0.01).sum() >= 2
    told = rows.set_index("group")
    assert told["valence"].dropna().to_dict() == {"poor": "poor -2.1"}
    assert told["judging_share"].to_dict() == {"poor": 0.5, "rich": 0, "working": 0}
    said = describe_groups(rows)
    assert said.endswith(
        "Left out, as their words are positive or negative by themselves: poor (poor -2.1)."
    )
    assert "rich (class" in said and "poor (class" not in said
    # One term in three is too few to leave a group out.
    kept = rows.assign(judging_share=rows["judging_share"].where(rows["judging_share"] == 0, 1 / 3))
    assert "poor (class" in describe_groups(kept) and "Left out" not in describe_groups(kept)


@pytest.mark.release
@pytest.mark.long
@pytest.mark.parametrize("sampled", [False, True])
def test_contrasts_of_pure_noise_are_seldom_called_real(sampled: bool, tmp_path: Path) -> None:
    """Groups of an attribute do not differ: every discovery is false."""
    audits = 40
    tables = [
        _audit(tmp_path / str(number), sampled=sampled, seed=number) for number in range(audits)
    ]
    table = pd.concat(tables)
    for name, column in (("", "contrast"), ("rate_", "rate_contrast")):
        found = sum((each[f"{name}q_value"] <= 0.05).any() for each in tables)
        assert found <= binom.ppf(0.999, audits, 0.05)
        # The lines of an attribute depend on each other: three are worth about two.
        worth = 2 * len(table) // 3
        rejected = (table[f"{name}p_value"] <= 0.05).mean()
        assert rejected <= binom.ppf(0.999, worth, 0.05) / worth
        holds = (table[f"{column}_low"] <= 0) & (table[f"{column}_high"] >= 0)
        assert holds.mean() >= binom.ppf(0.001, worth, 0.95) / worth
        # Not for want of power.
        assert rejected > 0.005


@pytest.mark.release
@pytest.mark.long
def test_rare_bias_of_many_groups_drawn_by_chance_is_seldom_called_real() -> None:
    """Most groups then have no bias at all, which is no sign of better treatment."""
    rejected, covered = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        texts = np.repeat(np.arange(250), rng.integers(1, 3, 250))
        alike = rng.standard_t(4, 250)[texts]
        units = pd.DataFrame(
            {
                "attribute": "a",
                "group": rng.integers(12, size=len(texts)).astype(str),
                "original_id": texts.astype(str),
                "position": np.arange(len(texts)).astype(str),
                "choice": "c",
                "term": "t",
                "n": 1,
                "scored": 1,
                "shift": (30 * alike + rng.normal(0, 20, len(texts))).round(),
                "changed": 100 * (rng.random(len(texts)) < 0.04),
            }
        )
        rows = contrast_rows(units, seed=seed)
        for name in ("", "rate_"):
            rejected += (rows[f"{name}p_value"] <= 0.05).tolist()
            low, high = (rows[f"{name}contrast_{end}"] for end in ("low", "high"))
            covered += ((low <= 0) & (high >= 0)).tolist()
    assert 0.005 < np.mean(rejected) < 0.08
    assert np.mean(covered) > 0.92


@pytest.mark.parametrize(
    ("low", "high", "q_value", "clear"),
    [
        (0.01, 0.09, 0.01, True),
        (-0.09, -0.01, 0.05, True),
        (-0.01, 0.09, 0.01, False),
        (0.0, 0.09, 0.01, False),
        (0.01, 0.09, 0.06, False),
        (None, None, 0.01, False),
    ],
)
def test_a_finding_is_clear_by_its_test_and_its_interval(
    low: float | None, high: float | None, q_value: float, clear: bool
) -> None:
    row = {"contrast_low": low, "contrast_high": high, "q_value": q_value}
    rows = pd.DataFrame([row], dtype=float)
    assert are_clear(rows, "contrast", "q_value").tolist() == [clear]
