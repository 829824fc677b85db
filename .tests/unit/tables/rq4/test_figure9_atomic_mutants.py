"""Biased atomic mutants, against plain counting on random studies."""

from pathlib import Path

import pytest
from hinter.tables.rq4.figure9 import FIGURE9_ATOMIC_MUTANTS as TABLE
from hinter.tables.rq4.figure9 import tabulate_atomic_mutants
from random_studies import GROUPS, RandomStudy, belongs
from tries import alike


@alike("seed", [0], [1, 2])
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
            if not belongs(row, combination, model) or None in below.values():
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
    assert TABLE.show(found)["strict"].tolist() == found["strict"].tolist()
