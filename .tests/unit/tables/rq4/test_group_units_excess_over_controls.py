"""Excess by combination and group, against plain loops over pairs of mutants and controls."""

import random
from collections import defaultdict
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hinter.controls import CONTROLS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from hinter.statistics import cluster_bootstrap
from hinter.tables.rq4.group_units import excess_over_controls
from result_files import Row, verdict_row, write_rows
from simulated import pairs_of, write_pairs
from tries import alike

ATTRIBUTES, ORIGINALS = ("a", "b"), 12
Line = tuple[str, str, str, str]


def _pairs_with_controls(draw: random.Random) -> list[tuple[Row, Row, str]]:
    """Return verdicts on mutants and on their controls, and the pair that is replaced."""
    found = []
    for original in range(ORIGINALS):
        for order in (1, 2):
            for chosen in combinations(ATTRIBUTES, order):
                for ids in product(*(pairs_of(name, targets=("x", "y")) for name in chosen)):
                    values: dict[str, Any] = {
                        "order": order,
                        "attributes": "+".join(chosen),
                        "pair_ids": list(ids),
                        "visible_order": order,
                        "sampled": None if draw.random() < 0.9 else True,
                    }
                    key = f"o{original:02}|{'|'.join(ids)}"
                    mutant = verdict_row(
                        f"o{original:02}", 1, mutant_id=key, biased=draw.random() < 0.5, **values
                    )
                    control = verdict_row(
                        f"o{original:02}",
                        1,
                        **values | {"mutant_id": f"{key}'", "biased": draw.random() < 0.3},
                        control=True,
                    )
                    found.append((mutant, control, draw.choice(ids)))
    return found


def _lines(mutant: Row, pair_id: str) -> list[Line]:
    level = "atomic" if mutant["order"] == 1 else "intersectional"
    attribute, source, target = pair_id[:-4], pair_id[-3], pair_id[-1]
    return [
        (level, "all", "", ""),
        (level, mutant["attributes"], "", ""),
        (level, attribute, source, target),
    ]


@alike("seed", [0], [1, 2])
def test_lines_equal_plain_loops(seed: int, tmp_path: Path) -> None:
    told = _pairs_with_controls(random.Random(seed))
    rows = [row for mutant, control, _ in told for row in (mutant, control)]
    matches = [
        {"mutant_id": mutant["mutant_id"], "control_id": control["mutant_id"], "pair_id": pair_id}
        for mutant, control, pair_id in told
    ]
    found = excess_over_controls(
        ("m", "d", write_rows(tmp_path / "v.parquet", rows, VERDICTS_SCHEMA)),
        [("controls", "d", write_rows(tmp_path / "c.parquet", matches, CONTROLS_SCHEMA))],
        pairs=str(write_pairs(tmp_path / "pairs.csv", attributes=list(ATTRIBUTES))),
        seed=5,
    )
    lines: dict[Line, list[tuple[str, bool, bool]]] = defaultdict(list)
    for mutant, control, pair_id in told:
        for line in _lines(mutant, pair_id) if mutant["sampled"] is None else []:
            lines[line].append((mutant["original_id"], mutant["biased"], control["biased"]))
    assert set(found.index) == set(lines)
    for line, pairs in lines.items():
        row = found.loc[line]
        assert row["controls"] == len(pairs)
        assert row["control_rate"] == pytest.approx(np.mean([c for *_, c in pairs]), abs=1e-6)
        differences = [
            sum(b - c for name, b, c in pairs if name == f"o{number:02}")
            for number in range(ORIGINALS)
        ]
        counts = [sum(name == f"o{number:02}" for name, *_ in pairs) for number in range(ORIGINALS)]
        assert row["excess"] == pytest.approx(sum(differences) / len(pairs), abs=1e-6)
        expected = cluster_bootstrap(differences, counts, bounds=(-1, 1), seed=5)
        assert tuple(row[["excess_low", "excess_high"]]) == pytest.approx(expected, abs=1e-6)
        plain = _swapped_at_random(differences, seed=seed)
        assert row["excess_p_value"] == pytest.approx(plain, abs=0.02, nan_ok=True)


def _swapped_at_random(differences: list[int], *, seed: int) -> float:
    """Return the two-sided p-value of the sum over all ways to swap mutants and controls."""
    values = np.array([one for one in differences if one])
    if not len(values):
        return float("nan")
    signs = np.array(list(product((-1, 1), repeat=len(values))))
    return float((np.abs(signs @ values) >= abs(values.sum())).mean())
