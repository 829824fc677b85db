"""Robustly hidden bias: on both sides of the threshold by more than neutral edits move a model."""

from pathlib import Path

import pandas as pd
import pytest
from hinter.oracle import VERDICTS_SCHEMA
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.tables.label_scores import robust_cases
from result_files import Row, verdict_row, write_rows

SHIFTS = (-0.2, -0.1, 0.0, 0.1, 9.0)
"""Of neutral edits: they lie 0.1 from their median, in the middle, whatever the last one is."""
NOISE = round(1.4826 * 0.1, 4)


def _case(name: str, margins: tuple[float | None, ...]) -> list[Row]:
    """Return the verdicts on a hidden mutant and its parts, by their margins and the original's."""
    original, first, second, both = margins
    parts = {("a:1",): first, ("b:1",): second, ("a:1", "b:1"): both}
    return [
        verdict_row(
            name,
            1,
            mutant_id="|".join([name, *pair_ids]),
            pair_ids=list(pair_ids),
            order=len(pair_ids),
            visible_order=len(pair_ids),
            biased=len(pair_ids) == 2,
            hidden=len(pair_ids) == 2 or None,
            margin=margin,
            shift=None if margin is None or original is None else margin - original,
        )
        for pair_ids, margin in parts.items()
    ]


def _control(number: int, shift: float, *pair_ids: str) -> Row:
    key = "|".join([f"c{number}", *pair_ids])
    told = {"pair_ids": list(pair_ids), "order": len(pair_ids), "visible_order": len(pair_ids)}
    return verdict_row(f"c{number}", 1, mutant_id=key, shift=shift, margin=1, control=True, **told)


CONTROLS = [
    *(_control(number, shift, "control:x") for number, shift in enumerate(SHIFTS[:3])),
    *(_control(number, shift, "control:x", "control:y") for number, shift in enumerate(SHIFTS[3:])),
    # What keeps a sensitive pair is no noise.
    *(_control(number, 5.0 * number, "a:1", "control:x") for number in range(9)),
]


def _robust(
    folder: Path, rows: list[Row], *, labels: str = "np", several: bool = False
) -> pd.DataFrame:
    score = 0.0 if several else -0.7 if len(labels) > 2 else 0.0
    answer = {"input_id": "o", "outcome": ["p"], "scores": [(label, score) for label in labels]}
    return robust_cases(
        [("m", "d", write_rows(folder / "v.parquet", rows, VERDICTS_SCHEMA))],
        [("m", "d", write_rows(folder / "p.parquet", [answer], PREDICTIONS_SCHEMA))],
    ).set_index("mutant_id")


@pytest.mark.parametrize(
    ("margins", "clearance", "robust"),
    [
        ((1.0, 0.8, 0.9, -0.7), 0.7, True),
        ((0.3, 0.8, 0.9, -0.7), 0.3, True),
        ((0.29, 0.8, 0.9, -0.7), 0.29, False),
        ((1.0, 0.29, 0.9, -0.7), 0.29, False),
        ((1.0, 0.8, 0.9, -0.29), 0.29, False),
        ((1.0, None, 0.9, -0.7), None, None),
        ((None, 0.8, 0.9, -0.7), None, None),
    ],
)
def test_a_case_is_robust_if_each_outcome_is_further_from_the_threshold_than_twice_the_noise(
    margins: tuple[float | None, ...], clearance: float | None, robust: bool | None, tmp_path: Path
) -> None:
    case = _robust(tmp_path, [*_case("o", margins), *CONTROLS]).loc["o|a:1|b:1"]
    assert case["noise"] == NOISE
    if robust is None:
        assert pd.isna(case["robust"]) and pd.isna(case["clearance"])
    else:
        assert (case["clearance"], case["robust"]) == (clearance, robust)


def test_only_what_a_margin_of_0_decides_can_be_robust(tmp_path: Path) -> None:
    rows = [*_case("o", (1.0, 0.8, 0.9, -0.7)), *CONTROLS]
    assert _robust(tmp_path, rows, labels="npq")["robust"].isna().all()
    assert _robust(tmp_path, rows, labels="npq", several=True)["robust"].all()


def test_without_controls_the_noise_is_unknown(tmp_path: Path) -> None:
    cases = _robust(tmp_path, _case("o", (1.0, 0.8, 0.9, -0.7)))
    assert cases["robust"].isna().all() and cases["clearance"].tolist() == [0.7]


def test_a_single_neutral_edit_tells_no_noise(tmp_path: Path) -> None:
    cases = _robust(tmp_path, [*_case("o", (1.0, 0.8, 0.9, -0.7)), CONTROLS[0]])
    assert cases["robust"].isna().all() and cases["noise"].isna().all()


def test_without_hidden_cases_there_are_no_rows(tmp_path: Path) -> None:
    assert _robust(tmp_path, CONTROLS).empty
