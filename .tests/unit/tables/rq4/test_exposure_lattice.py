"""The lattice, against plain loops on random studies."""

from itertools import product
from pathlib import Path

import pytest
from hinter.tables.rq4.exposure import LATTICE as TABLE
from hinter.tables.rq4.exposure import tabulate_lattice
from random_studies import MODELS, RandomStudy, belongs
from tries import alike


@alike(("seed", "top"), [(0, 3)], [(1, 3), (2, 2)])
def test_the_lattice_agrees_with_plain_loops(seed: int, top: int, tmp_path: Path) -> None:
    study = RandomStudy(tmp_path, seed=seed, top=top)
    found = tabulate_lattice(study.parts, seed=5)
    groups = list(product(range(2, top + 1), ["all", *MODELS]))
    assert [tuple(key) for key in found[["order", "model"]].values] == groups
    for (order, model), row in zip(groups, found.to_dict("records"), strict=True):
        told = [row for row in study.told(order, sampled=True) if belongs(row, "all", model)]
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
        assert row["hidden_rate_complete"] == pytest.approx(
            expected["hidden"] / expected["biased"], abs=1e-6
        )
        assert row["masked_rate"] == pytest.approx(
            expected["masked"] / expected["biased_below"], abs=1e-6
        )
    assert f"minimal_{top}" in TABLE.show(found)
