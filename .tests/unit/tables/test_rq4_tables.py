"""Tables and figures of RQ4 against plain counting on random studies."""

import random
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hinter.figures.rq4.figure9_truth_table import draw_truth_table
from hinter.figures.rq4.figure10_exposure import draw_exposure
from hinter.statistics import bootstrap_rates, cluster_bootstrap, wilson_interval
from hinter.tables.rq4.figure9_atomic_mutants import show_atomic_mutants, tabulate_atomic_mutants
from hinter.tables.rq4.figure9_truth_table import show_truth_table, tabulate_truth_table
from hinter.tables.rq4.figure10_exposure import show_exposure, tabulate_exposure
from hinter.tables.rq4.lattice import show_lattice, tabulate_lattice
from simulated import judge, make_suite

Parts = list[tuple[str, str, Path]]
MODELS, DATASETS = ("m", "other"), ("d", "e")
CELLS = list(product([True, False], repeat=3))


class RandomStudy:
    """Verdicts of two models on two datasets with the same ids, and how to look them up."""

    def __init__(self, folder: Path, *, seed: int, top: int = 3) -> None:
        draw = random.Random(seed)
        self.parts: Parts = []
        rows = []
        for dataset in DATASETS:
            whole = make_suite(
                originals=9,
                attributes=["a", "b", "c"],
                orders=range(1, top + 1),
                targets=("x", "y"),
            )
            suite = whole[[draw.random() < 0.7 for _ in range(len(whole))]].copy()
            suite["valid"] = [draw.random() < 0.9 for _ in range(len(suite))]
            suite["drawn"] = [draw.choice([None, None, None, False]) for _ in range(len(suite))]
            suite.loc[suite["order"] == 3, "drawn"] = True
            fragile = {name: draw.betavariate(0.3, 2) for name in suite["original_id"].unique()}
            for model in MODELS:
                answers = {
                    key: None
                    if draw.random() < 0.05
                    else draw.random() < fragile[key.split("|")[0]]
                    for key in suite["mutant_id"]
                }
                visible = {key: key.count("|") - (draw.random() < 0.05) for key in answers}
                path = folder / model / f"{dataset}.parquet"
                judge(suite, answers.__getitem__, verdicts=path, visible=visible)
                self.parts.append((model, dataset, path))
                told = suite.assign(
                    model=model,
                    dataset=dataset,
                    biased=[answers[key] for key in suite["mutant_id"]],
                    visible=[visible[key] for key in suite["mutant_id"]],
                )
                rows += told.to_dict("records")
        self.rows: list[dict[str, Any]] = rows
        self.known = {
            (row["model"], row["dataset"], row["mutant_id"]): row["biased"]
            for row in rows
            if row["valid"]
        }

    def told(self, *orders: int, sampled: bool) -> list[dict[str, Any]]:
        """The mutants that count as of these orders, of sampled orders only if so asked."""
        return [
            row
            for row in self.rows
            if row["order"] in orders
            and row["valid"]
            and (row["drawn"] is None or (sampled and row["drawn"]))
            and row["biased"] is not None
            and row["visible"] == row["order"]
        ]

    def below(self, row: dict[str, Any]) -> dict[tuple[str, ...], bool | None]:
        """The verdicts on a mutant's proper sub-mutants."""
        return {
            subset: self.known.get(
                (row["model"], row["dataset"], "|".join([row["original_id"], *subset]))
            )
            for size in range(1, row["order"])
            for subset in combinations(row["pair_ids"], size)
        }


def _of(row: dict[str, Any], combination: str, model: str) -> bool:
    return combination in ("all", row["attributes"]) and model in ("all", row["model"])


GROUPS = list(product(["all", "a+b", "a+c", "b+c"], ["all", *MODELS]))


@pytest.mark.parametrize("seed", range(3))
def test_the_truth_table_agrees_with_plain_counting(seed: int, tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=seed)
    found = tabulate_truth_table(study.parts, seed=5)
    assert [tuple(key) for key in found[["combination", "model"]].values[::8]] == GROUPS
    place = iter(found.to_dict("records"))
    for (combination, model), cell in product(GROUPS, CELLS):
        told = [
            row
            for row in study.told(2, sampled=True)
            if _of(row, combination, model) and row["biased"] == cell[0]
        ]
        decided = [row for row in told if None not in study.below(row).values()]
        inside = [row for row in decided if tuple(study.below(row).values()) == cell[1:]]
        row = next(place)
        assert (row["intersectional"], row["first"], row["second"]) == cell
        assert (row["mutants"], row["n"]) == (len(inside), len(decided))
        assert row["undecided"] == len(told) - len(decided)
        low, high = wilson_interval(len(inside), len(decided))
        expected = [len(inside) / len(decided), low, high]
        assert [row[f"share{end}"] for end in ("", "_low", "_high")] == pytest.approx(
            expected, abs=1e-6
        )
        assert row["share_cluster_low"] <= row["share"] <= row["share_cluster_high"]
    biased = found[found["intersectional"]]
    # The hidden ones of all complete ones: no third way to count them.
    lattice = tabulate_lattice(study.parts, seed=5)
    whole = lattice[(lattice["order"] == 2) & (lattice["model"] == "all")].iloc[0]
    assert whole["hidden"] == biased["mutants"].iloc[3]
    assert whole["masked"] == found["mutants"].iloc[4:7].sum()
    assert show_truth_table(found)["first"].tolist()[:4] == ["biased", "biased", "benign", "benign"]


@pytest.mark.parametrize("seed", range(3))
def test_biased_atomic_mutants_are_counted_once_over_their_mutants(
    seed: int, tmp_path: Path
) -> None:
    study = RandomStudy(tmp_path, seed=seed)
    found = tabulate_atomic_mutants(study.parts, seed=5)
    expected = []
    for combination, model in GROUPS:
        shared: dict[tuple[str, ...], bool] = {}
        for row in study.told(2, sampled=True):
            below = study.below(row)
            if not _of(row, combination, model) or None in below.values():
                continue
            for (pair,), biased in below.items():
                if biased:
                    key = (row["model"], row["dataset"], row["original_id"], pair)
                    shared[key] = shared.get(key, False) or row["biased"]
        again = sum(shared.values())
        expected.append([combination, model, len(shared), again, len(shared) - again])
    columns = ["combination", "model", "atomic", "shared", "strict"]
    assert found[columns].values.tolist() == expected
    assert found["shared_share"].tolist() == pytest.approx(
        [shared / atomic for *_, atomic, shared, _ in expected], abs=1e-6
    )
    assert show_atomic_mutants(found)["strict"].tolist() == found["strict"].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_originals_are_counted_by_the_campaigns_that_expose_them(seed: int, tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=seed)
    campaigns: dict[tuple[str, ...], bool] = {}
    for row in study.told(1, 2, sampled=False):
        for model in ("all", row["model"]):
            key = (model, row["dataset"], row["original_id"], row["attributes"])
            campaigns[key] = campaigns.get(key, False) or row["biased"]
    regions: dict[tuple[str, str], list[tuple[bool, ...]]] = {group: [] for group in GROUPS}
    for (model, dataset, original_id, attributes), exposed in campaigns.items():
        if "+" in attributes:
            atomic = [
                campaigns.get((model, dataset, original_id, name)) for name in attributes.split("+")
            ]
            if None not in atomic:
                for combination in ("all", attributes):
                    regions[combination, model].append((*map(bool, atomic), exposed))
    found = tabulate_exposure(study.parts)
    names = ["combination", "model", "first", "second", "intersectional", "originals"]
    assert found[names].values.tolist() == [
        [*group, *cell, regions[group].count(cell)] for group, cell in product(GROUPS, CELLS)
    ]
    for group, rows in found.groupby(["combination", "model"]):
        inside = regions[group]
        exposed = len(inside) - inside.count((False, False, False))
        assert set(rows["n"]) == {len(inside)}
        assert set(rows["exposed"]) == {exposed}
        shares = [inside.count(cell) / exposed for cell in CELLS[:-1]]
        assert rows["share"].tolist()[:-1] == pytest.approx(shares, abs=1e-6)
        assert rows["share"].isna().tolist() == [False] * 7 + [True]
    assert show_exposure(found)["first"].tolist()[:5] == ["exposes"] * 4 + ["-"]


@pytest.mark.parametrize(("seed", "top"), [(0, 3), (1, 3), (2, 2)])
def test_the_lattice_agrees_with_plain_loops(seed: int, top: int, tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=seed, top=top)
    found = tabulate_lattice(study.parts, seed=5)
    groups = list(product(range(2, top + 1), ["all", *MODELS]))
    assert [tuple(key) for key in found[["order", "model"]].values] == groups
    for (order, model), row in zip(groups, found.to_dict("records"), strict=True):
        told = [row for row in study.told(order, sampled=True) if _of(row, "all", model)]
        complete = [row for row in told if None not in study.below(row).values()]
        lattices = [{**study.below(row), tuple(row["pair_ids"]): row["biased"]} for row in complete]
        minimal = [
            subset
            for lattice in lattices
            for subset, biased in lattice.items()
            if biased and not any(lattice[s] and set(s) < set(subset) for s in lattice)
        ]
        wholes = [list(lattice.values()) for lattice in lattices]
        expected = {
            "n": len(told),
            "complete": len(complete),
            "biased": sum(whole[-1] is True for whole in wholes),
            "hidden": sum(whole[-1] is True and not any(whole[:-1]) for whole in wholes),
            "biased_below": sum(any(whole[:-1]) for whole in wholes),
            "masked": sum(not whole[-1] and any(whole[:-1]) for whole in wholes),
            **{f"minimal_{k}": [len(s) for s in minimal].count(k) for k in range(1, top + 1)},
        }
        assert {name: row[name] for name in expected} == expected
        assert row["hidden_rate"] == pytest.approx(
            expected["hidden"] / expected["biased"], abs=1e-6
        )
        assert row["masked_rate"] == pytest.approx(
            expected["masked"] / expected["biased_below"], abs=1e-6
        )
    assert f"minimal_{top}" in show_lattice(found)


def test_many_rates_are_resampled_like_each_by_itself() -> None:
    rng = np.random.default_rng(1)
    trials = rng.integers(1, 9, size=(40, 3)).astype(float)
    successes = rng.binomial(trials.astype(int), 0.3).astype(float)
    for found, parts, wholes in zip(
        bootstrap_rates(successes, trials, seed=3), successes.T, trials.T, strict=True
    ):
        assert found == pytest.approx(cluster_bootstrap(parts.tolist(), wholes.tolist(), seed=3))
    once = np.zeros((40, 1))
    once[0] = 1
    assert np.isnan(bootstrap_rates(once, once, seed=3)).all()
    assert np.isnan(bootstrap_rates(once[:0], once[:0], seed=3)).all()


def _draw_and_read(draw: Any, rows: pd.DataFrame, folder: Path) -> bytes:
    """Draw the rows as they come back from their CSV."""
    rows.to_csv(folder / "rows.csv", index=False)
    draw(pd.read_csv(folder / "rows.csv"), pdf=folder / "f.pdf", png=folder / "f.png")
    assert (folder / "f.pdf").read_bytes().startswith(b"%PDF")
    return (folder / "f.png").read_bytes()


@pytest.mark.long
def test_figures_of_rq4_are_drawn_the_same_each_time(tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=1)
    for draw, rows in (
        (draw_truth_table, tabulate_truth_table(study.parts, seed=1)),
        (draw_exposure, tabulate_exposure(study.parts)),
    ):
        assert _draw_and_read(draw, rows, tmp_path) == _draw_and_read(draw, rows, tmp_path)
        _draw_and_read(draw, rows[rows["combination"].isin(["all", "a+b"])], tmp_path)


def test_tables_of_rq4_stand_on_nothing(tmp_path: Path) -> None:
    suite = make_suite(originals=2, attributes=["a"], orders=[1])
    path = judge(suite, lambda key: True, verdicts=tmp_path / "v.parquet")
    parts = [("m", "d", path)]
    cells, regions = tabulate_truth_table(parts, seed=1), tabulate_exposure(parts)
    assert cells.empty
    assert regions.empty
    assert tabulate_atomic_mutants(parts, seed=1).empty
    assert tabulate_lattice(parts, seed=1).empty
