"""Intersectional mutants and their atomic ones, against plain counting on random studies."""

from itertools import product
from math import nan
from pathlib import Path

import pytest
from hinter.statistics import wilson_interval
from hinter.tables.rq4.exposure import tabulate_lattice
from hinter.tables.rq4.figure9 import FIGURE9_TRUTH_TABLE as TABLE
from hinter.tables.rq4.figure9 import tabulate_truth_table
from random_studies import CELLS, GROUPS, RandomStudy, belongs
from tries import alike


@alike("seed", [0], [1, 2])
def test_the_truth_table_agrees_with_plain_counting(seed: int, tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=seed)
    found = tabulate_truth_table(study.parts, seed=5)
    assert [tuple(key) for key in found[["combination", "model"]].values[::8]] == GROUPS
    place = iter(found.to_dict("records"))
    for (combination, model), cell in product(GROUPS, CELLS):
        told = [
            row
            for row in study.told(2, sampled=True)
            if belongs(row, combination, model) and row["biased"] == cell[0]
        ]
        decided = [row for row in told if None not in study.below(row).values()]
        inside = [row for row in decided if tuple(study.below(row).values()) == cell[1:]]
        row = next(place)
        assert (row["intersectional"], row["first"], row["second"]) == cell
        assert (row["mutants"], row["n"]) == (len(inside), len(decided))
        assert row["undecided"] == len(told) - len(decided)
        ends = (nan, nan) if model == "all" else wilson_interval(len(inside), len(decided))
        expected = [len(inside) / len(decided), *ends]
        assert [row[f"share{end}"] for end in ("", "_low", "_high")] == pytest.approx(
            expected, abs=1e-6, nan_ok=True
        )
        assert row["share_cluster_low"] <= row["share"] <= row["share_cluster_high"]
    biased = found[found["intersectional"]]
    # The hidden ones of all complete ones: no third way to count them.
    lattice = tabulate_lattice(study.parts, seed=5)
    whole = lattice[(lattice["order"] == 2) & (lattice["model"] == "all")].iloc[0]
    assert whole["hidden"] == biased["mutants"].iloc[3]
    assert whole["masked"] == found["mutants"].iloc[4:7].sum()
    assert TABLE.show(found)["first"].tolist()[:4] == ["biased", "biased", "benign", "benign"]
