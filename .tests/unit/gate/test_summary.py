"""What the gate says, in a line, on a page and as JUnit XML."""

from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
from gated import MUTANTS, sums_of
from hinter.gate import decide, describe_outcome, read_decided, write_junit, write_summary

DECIDING = {"datasets": ["d"], "threshold": 0.1, "confidence": 0.95, "seed": 1}


def decided(differences: list[int], *measures: str) -> pd.DataFrame:
    """Return the rows of the gate as its CSV has them."""
    rows = decide(sums_of(differences), measures=measures or ["bias"], **DECIDING)
    rows.insert(0, "candidate", "new")
    rows.insert(1, "baseline", "old of studies/last")
    return rows


@pytest.mark.parametrize(
    ("differences", "told"),
    [
        (
            [0] * 100,
            "pass, 'new' against 'old of studies/last': excess bias on 'd' differs by 0.00",
        ),
        (
            [MUTANTS] * 30,
            "fail, 'new' against 'old of studies/last': excess bias on 'd' differs by",
        ),
        ([0] * 10, "originals, not 10"),
        ([MUTANTS, 0, 0, 0, 0, 0, 0, 0, 0, 0], "no number of originals is likely to decide"),
        ([MUTANTS], "excess bias on 'd': only one original"),
    ],
)
def test_the_line_says_what_decides(differences: list[int], told: str, tmp_path: Path) -> None:
    decided(differences).to_csv(tmp_path / "gate.csv", index=False)
    line = describe_outcome(read_decided(str(tmp_path / "gate.csv")))
    assert told in line
    assert "\n" not in line


def test_a_measure_without_mutants_is_told() -> None:
    line = describe_outcome(decided([0] * 100, "bias", "hidden bias"))
    assert line.startswith("not enough evidence")
    assert line.endswith("excess hidden bias on 'd': no mutant with verdicts for both models")


def test_the_page_has_a_row_per_measure(tmp_path: Path) -> None:
    path = tmp_path / "gate.md"
    write_summary(decided([0] * 100, "bias", "hidden bias"), path, threshold=0.1, confidence=0.95)
    page = path.read_text(encoding="utf-8")
    assert page.startswith("## Gate: not enough evidence\n\n`new` against `old of studies/last`;")
    assert "threshold 10 percentage points, 95 % intervals" in page
    rows = [line for line in page.splitlines() if line.startswith("| d ")]
    assert [row.split("|")[-3].strip() for row in rows] == ["pass", "not enough evidence"]


def test_each_row_is_a_case_with_what_it_found(tmp_path: Path) -> None:
    sums = pd.concat([sums_of([0] * 100), sums_of([MUTANTS] * 30, dataset="e")])
    rows = decide(
        sums, datasets=["d", "e", "f"], measures=["bias"], threshold=0.1, confidence=0.95, seed=1
    ).assign(candidate="new", baseline='old of "a&b"')
    write_junit(rows, tmp_path / "gate.xml")
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()
    assert suite.attrib == {"name": "gate", "tests": "3", "failures": "1", "errors": "1"}
    assert [case.get("name") for case in suite] == [f"{name}: excess bias" for name in "def"]
    assert {case.get("classname") for case in suite} == {'new against old of "a&b"'}
    passed, failed, undecided = ([part.tag for part in case] for case in suite)
    assert (passed, failed, undecided) == ([], ["failure"], ["error"])
    assert "differs by 100.00 points" in str(suite[1][0].get("message"))
    assert suite[2][0].get("type") == "not enough evidence"
