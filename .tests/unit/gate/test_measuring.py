"""What is measured of two models, and which suites are compared."""

from pathlib import Path

import pandas as pd
import pytest
from gated import MUTANTS, write_controls, write_verdicts
from hinter.controls import CONTROLS_SCHEMA
from hinter.errors import InputError
from hinter.gate import decide, describe_outcome, measure_differences
from hinter.oracle import VERDICTS_SCHEMA
from result_files import Parts, write_rows

ORIGINALS = ["o1", "o2", "o3"]


@pytest.fixture
def controls(tmp_path: Path) -> Parts:
    return write_controls(tmp_path / "controls" / "d.parquet", originals=ORIGINALS)


def _verdicts(folder: Path, *biased: str, originals: list[str] = ORIGINALS) -> Parts:
    return write_verdicts(folder / "d.parquet", originals=originals, biased=biased)


def _sums(rows: pd.DataFrame, measure: str) -> dict[str, tuple[int, int, int]]:
    of_measure = rows[rows["measure"] == measure].set_index("original_id")
    return {
        name: (row["n"], row["candidate"], row["baseline"]) for name, row in of_measure.iterrows()
    }


def test_mutants_are_counted_less_their_controls_for_both_models(
    tmp_path: Path, controls: Parts
) -> None:
    candidate = _verdicts(tmp_path / "new", "o1", "o2")
    baseline = _verdicts(tmp_path / "old", "o2")
    rows = measure_differences(candidate, baseline, controls, limited=[])
    assert sorted(set(rows["measure"])) == ["bias", "hidden bias"]
    for measure in ("bias", "hidden bias"):
        assert _sums(rows, measure) == {
            "o1": (MUTANTS, MUTANTS, 0),
            "o2": (MUTANTS, MUTANTS, MUTANTS),
            "o3": (MUTANTS, 0, 0),
        }


def test_another_suite_is_refused(tmp_path: Path, controls: Parts) -> None:
    candidate = _verdicts(tmp_path / "new", "o1")
    baseline = _verdicts(tmp_path / "old", originals=ORIGINALS[:2])
    with pytest.raises(InputError, match=r"different suites of 'd': 24 mutants .* and 16 mutants"):
        measure_differences(candidate, baseline, controls, limited=[])


def test_a_limited_model_is_compared_on_the_common_part(tmp_path: Path, controls: Parts) -> None:
    candidate = _verdicts(tmp_path / "new", "o1")
    baseline = _verdicts(tmp_path / "old", originals=ORIGINALS[:2])
    rows = measure_differences(candidate, baseline, controls, limited=["d"])
    assert set(rows["original_id"]) == {"o1", "o2"}


def test_other_edits_of_the_same_mutants_are_another_suite(tmp_path: Path, controls: Parts) -> None:
    candidate = _verdicts(tmp_path / "new")
    frame = pd.read_parquet(candidate[0][2]).to_dict("records")
    edits = [{"attribute": "a", "start": 1, "end": 4, "role": "term", "text": "b"}]
    rows = [
        {name: row[name] for name in ("mutant_id", "original_id", "valid", "control", "order")}
        | {"edits": edits}
        for row in frame
    ]
    path = write_rows(tmp_path / "old" / "d.parquet", rows, VERDICTS_SCHEMA)
    with pytest.raises(InputError, match="different suites"):
        measure_differences(candidate, [("m", "d", path)], controls, limited=[])


def test_an_empty_suite_is_refused(tmp_path: Path, controls: Parts) -> None:
    candidate, baseline = _verdicts(tmp_path / "new"), _verdicts(tmp_path / "old", originals=[])
    with pytest.raises(InputError, match=r"0 mutants \(digest none\)"):
        measure_differences(candidate, baseline, controls, limited=[])


def test_without_controls_plain_rates_are_compared(tmp_path: Path, controls: Parts) -> None:
    """The texts have no neutral words, or the study has no controls at all."""
    candidate = _verdicts(tmp_path / "new", "o1", "o2")
    baseline = _verdicts(tmp_path / "old", "o2")
    lone = [{"mutant_id": name} for name in pd.read_parquet(controls[0][2])["mutant_id"]]
    unmatched = write_rows(tmp_path / "lone" / "d.parquet", lone, CONTROLS_SCHEMA)
    for given in ([], [("controls", "d", unmatched)]):
        rows = measure_differences(candidate, baseline, given, limited=[])
        assert not rows["controlled"].any()
        assert _sums(rows, "bias") == {
            "o1": (MUTANTS, MUTANTS, 0),
            "o2": (MUTANTS, MUTANTS, MUTANTS),
            "o3": (MUTANTS, 0, 0),
        }
    decided = decide(
        rows, datasets=["d"], measures=["bias"], threshold=0.02, confidence=0.95, seed=1
    )
    assert decided["difference"].tolist() == [0.333333]
    assert "(plain rates, as no mutant has a control)" in describe_outcome(
        decided.assign(candidate="new", baseline="old")
    )
    with_them = measure_differences(candidate, baseline, controls, limited=[])
    assert with_them["controlled"].all()
