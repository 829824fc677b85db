"""Exposed originals, against plain counting on random studies."""

from itertools import product
from pathlib import Path

import pytest
from hinter.tables.rq4.exposure import FIGURE10_EXPOSURE as TABLE
from hinter.tables.rq4.exposure import tabulate_exposure
from random_studies import CELLS, GROUPS, RandomStudy
from tries import alike


@alike("seed", [0], [1, 2])
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
    assert TABLE.show(found)["first"].tolist()[:5] == ["exposes"] * 4 + ["-"]
